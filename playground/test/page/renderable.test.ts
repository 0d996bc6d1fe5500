import type { KnownBlock } from '@slack/types';
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Message } from 'slack-blocks-to-jsx';
import { describe, expect, it } from 'vitest';
import { renderable } from '../../page/message/renderable.ts';

/** The markup of a section as the page shows it. */
function markupOf(type: 'mrkdwn' | 'plain_text', text: string, verbatim?: boolean): string {
  const textObject = type === 'mrkdwn' && verbatim !== undefined ? { type, text, verbatim } : { type, text };
  const block: KnownBlock = { type: 'section', text: textObject };
  const blocks = [renderable(block)] as Parameters<typeof Message>[0]['blocks']; // The library has its own types for the same blocks.
  return renderToStaticMarkup(
    createElement(Message, { blocks, theme: 'light', withoutWrapper: true, logo: '', name: '' }),
  );
}

const textOf = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, '&');

const show = (type: 'mrkdwn' | 'plain_text', text: string) => textOf(markupOf(type, text));

const slackEscape = (text: string) =>
  text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c] ?? c);

/** Typed text, without `:emoji:` and without leading or trailing characters that a renderer might trim. */
const typed = fc
  .string({ unit: fc.constantFrom(...'ab 1*_~`[](){}<>&#!@|\\-+.='), maxLength: 24 })
  .map((text) => `x${text}x`);

describe('renderable', () => {
  it("doesn't turn times into emoji", () => {
    expect(show('mrkdwn', 'quiet 22:00–06:00, then 08:15 and 9:30')).toBe(
      'quiet 22:00–06:00, then 08:15 and 9:30',
    );
    expect(show('plain_text', 'quiet 22:00–06:00')).toBe('quiet 22:00–06:00');
  });

  it('shows plain text literally', () => {
    fc.assert(
      fc.property(typed, (text) => {
        expect(show('plain_text', slackEscape(text))).toBe(text);
      }),
    );
  });

  it('never turns escaped text into a mention or a link', () => {
    const trick = fc.constantFrom('<!channel>', '<@U1>', '<#C1|ops>', '<https://x.example|y>', '[x](y)');
    fc.assert(
      fc.property(typed, trick, typed, (before, middle, after) => {
        const markup = markupOf(
          'mrkdwn',
          slackEscape(before.replace(/`/g, '') + middle + after.replace(/`/g, '')),
        );
        expect(markup).not.toMatch(/<a |slack_broadcast|slack_user|slack_channel/);
      }),
    );
  });

  it('preserves mrkdwn formatting', () => {
    expect(markupOf('mrkdwn', '*bold* _it_ ~no~ `a &lt; b`')).toMatch(
      /<strong>.*bold.*<\/strong>.*<em>.*it.*<\/em>.*<s>.*no.*<\/s>.*<code[^>]*>a &lt; b<\/code>/s,
    );
    expect(markupOf('mrkdwn', '<https://x.example/?a=1&amp;b=2|see [1]>')).toMatch(
      /<a href="https:\/\/x\.example\/\?a=1&amp;b=2"[^>]*>.*see \[1\]/s,
    );
    expect(markupOf('mrkdwn', '<!channel>')).toContain('slack_broadcast');
  });

  it('adds no automatic links to verbatim text', () => {
    const text = '*bold* https://a.example www.b.example c@d.example <https://e.example|e>';
    const markup = markupOf('mrkdwn', text, true);
    expect(markup.match(/<a href="[^"]*"/g)).toEqual(['<a href="https://e.example"']);
    expect(markup).toMatch(/<strong>.*bold/);
    expect(textOf(markup)).toBe('bold https://a.example www.b.example c@d.example e');
    expect(markupOf('mrkdwn', text, false)).toContain('<a href="https://a.example"');
  });

  it.each([
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['# no heading', '# no heading'],
    ['[x](http://y.example)', '[x](http://y.example)'],
    ['1 &lt; 2 &amp;&amp; 3 &gt; 2', '1 < 2 && 3 > 2'],
    ['*82%*  ████████░░', '82%  ████████░░'],
    ['*Maersk*\n Delayed: 3\n    Omitted: 2', 'Maersk\n\u2060 Delayed: 3\n\u2060    Omitted: 2'],
    ['*Maersk*\n\u2003Delayed: 3', 'Maersk\n\u2060\u2003Delayed: 3'],
    ['&gt; quoted', 'quoted'],
  ])('shows %s as Slack does', (text, shown) => {
    expect(show('mrkdwn', text)).toBe(shown);
  });

  it('takes images of this machine from the server that has downloaded them', () => {
    const image = (image_url: string) => ({ type: 'image' as const, image_url, alt_text: 'a map' });
    const here = 'http://127.0.0.1:3000/map.png?a=1&b=2';
    const elements = [image(here), image('https://x.example/map.png')];
    expect(renderable({ type: 'context', elements })).toEqual({
      type: 'context',
      elements: [
        image('/playground/image?url=http%3A%2F%2F127.0.0.1%3A3000%2Fmap.png%3Fa%3D1%26b%3D2'),
        image('https://x.example/map.png'),
      ],
    });
  });

  it('drops block ids, which would become element ids, and changes nothing else', () => {
    const block: KnownBlock = {
      type: 'context',
      block_id: 'root',
      elements: [
        { type: 'mrkdwn', text: 'as it is' },
        { type: 'image', image_url: 'https://x.example/#a', alt_text: '[a]' },
      ],
    };
    const { block_id: _, ...rest } = block;
    expect(renderable(block)).toEqual(rest);
  });
});

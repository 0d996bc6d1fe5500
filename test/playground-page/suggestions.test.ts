import { describe, expect, it } from 'vitest';
import { complete, suggest, usageOf } from '../../src/playground/page/composer/suggestions.ts';
import { formatAddress, parseAddress } from '../../src/playground/page/model/address.ts';
import { pageState, pageUser } from '../support/playground-page-message.ts';

const world = {
  ...pageState('ADA'),
  commands: [
    { command: '/nextport', description: 'Where next', usageHint: '<vessel>' },
    { command: '/portcalls', description: 'Who comes', usageHint: '<port>' },
  ],
  users: [pageUser('ADA'), pageUser('BOT', { name: 'landfall', isBot: true }), pageUser('USLACKBOT')],
};
const titles = (text: string, caret = text.length) =>
  suggest(text, caret, world).items.map(({ title }) => title);

describe('suggestions', () => {
  it('are commands at the start of the line: first those that start with the word, then those that contain it', () => {
    expect(titles('/')).toEqual(['/nextport', '/portcalls']);
    expect(titles('/p')).toEqual(['/portcalls', '/nextport']);
    expect(titles('/PORTC')).toEqual(['/portcalls']);
    expect(titles('/nope')).toEqual([]);
    expect(titles('hello /')).toEqual([]);
    expect(titles('/nextport 94')).toEqual([]);
  });

  it('are people and channels anywhere, but not Slackbot, and nothing inside a word', () => {
    expect(titles('ask @')).toEqual(['@ada', '@landfall']);
    expect(titles('see #c')).toEqual(['#c1', '#c2']);
    expect(titles('me@a')).toEqual([]);
    const { botUserId: _bot, ...withoutApp } = world;
    expect(suggest('@', 1, withoutApp).items.map(({ title }) => title)).toEqual(['@ada']);
  });

  it('complete the word before the caret and keep the rest', () => {
    const text = '@la 9461477';
    const found = suggest(text, 3, world);
    const [first] = found.items;
    expect(first && complete(text, found, first)).toEqual(['@landfall 9461477', 10]);
  });

  it('include the usage once the command is complete', () => {
    expect(usageOf('/nextport', world.commands)).toBeUndefined();
    expect(usageOf('/nextport 9', world.commands)).toEqual({ command: '/nextport', hint: '<vessel>' });
    expect(usageOf('/other 9', world.commands)).toBeUndefined();
  });
});

describe('the URL', () => {
  it('round-trips, and ignores anything else', () => {
    const address = { userId: 'U0ADA', channelId: 'C0OPS' };
    expect(parseAddress(formatAddress(address))).toEqual(address);
    expect(parseAddress('#/U0ADA')).toEqual({ userId: 'U0ADA', channelId: undefined });
    expect(parseAddress('#/"><script>')).toEqual({ userId: undefined, channelId: undefined });
  });
});

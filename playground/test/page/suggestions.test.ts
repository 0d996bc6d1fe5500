import { describe, expect, it } from 'vitest';
import { complete, suggest, usageOf } from '../../page/composer/suggestions.ts';
import { formatAddress, parseAddress } from '../../page/model/address.ts';
import { pageState, pageUser } from '../support/page-message.ts';

const world = {
  ...pageState('ADA'),
  commands: [
    { command: '/lookup', description: 'Where next', usageHint: '<vessel>' },
    { command: '/portcalls', description: 'Who comes', usageHint: '<port>' },
  ],
  users: [pageUser('ADA'), pageUser('BOT', { name: 'your_app', isBot: true }), pageUser('USLACKBOT')],
};
const titles = (text: string, caret = text.length) =>
  suggest(text, caret, world).items.map(({ title }) => title);

describe('suggestions', () => {
  it('are commands at the start of the line: first those that start with the word, then those that contain it', () => {
    expect(titles('/')).toEqual(['/lookup', '/portcalls']);
    expect(titles('/p')).toEqual(['/portcalls', '/lookup']);
    expect(titles('/PORTC')).toEqual(['/portcalls']);
    expect(titles('/nope')).toEqual([]);
    expect(titles('hello /')).toEqual([]);
    expect(titles('/lookup 94')).toEqual([]);
  });

  it('are people and channels anywhere, but not Slackbot, and nothing inside a word', () => {
    expect(titles('ask @')).toEqual(['@ada', '@your_app']);
    expect(titles('see #c')).toEqual(['#c1', '#c2']);
    expect(titles('me@a')).toEqual([]);
    const { botUserId: _bot, ...withoutApp } = world;
    expect(suggest('@', 1, withoutApp).items.map(({ title }) => title)).toEqual(['@ada']);
  });

  it('complete the word before the caret and keep the rest', () => {
    const text = '@yo 9461477';
    const found = suggest(text, 3, world);
    const [first] = found.items;
    expect(first && complete(text, found, first)).toEqual(['@your_app 9461477', 10]);
  });

  it('include the usage once the command is complete', () => {
    expect(usageOf('/lookup', world.commands)).toBeUndefined();
    expect(usageOf('/lookup 9', world.commands)).toEqual({ command: '/lookup', hint: '<vessel>' });
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

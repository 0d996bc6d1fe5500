import { describe, expect, it } from 'vitest';
import { chosen, firstChoice, withPlace } from '../../page/consent/choice.ts';
import type { ConsentPageState } from '../../src/page-api/consent-api.ts';
import { pageUser } from '../support/page-message.ts';

const state: ConsentPageState = {
  appName: 'App',
  appDescription: '',
  places: [
    {
      id: 'T1',
      name: 'One',
      isOrganisation: false,
      isInstalled: false,
      people: [pageUser('ADA'), pageUser('BOB', { isAdmin: true }), pageUser('CHEN', { isAdmin: true })],
    },
    {
      id: 'T2',
      name: 'Two',
      isOrganisation: false,
      isInstalled: true,
      refusal: 'Not here.',
      people: [pageUser('EVE'), pageUser('FAY', { isAdmin: true })],
    },
    {
      id: 'E1',
      name: 'All',
      isOrganisation: true,
      isInstalled: false,
      people: [pageUser('ADA'), pageUser('EVE')],
    },
  ],
  scopes: [],
};

describe('the choice on the consent page', () => {
  it('starts with the person whom the playground showed last, else with an admin of the first workspace', () => {
    expect(firstChoice(state, 'EVE')).toEqual({ placeId: 'T2', userId: 'EVE', declined: [] });
    expect(firstChoice(state, undefined)).toEqual({ placeId: 'T1', userId: 'BOB', declined: [] });
    expect(firstChoice(state, 'GONE')).toMatchObject({ placeId: 'T1', userId: 'BOB' });
    expect(firstChoice({ ...state, places: [] }, 'EVE')).toMatchObject({ placeId: '', userId: '' });
  });

  it('starts with the workspace that the app asked for, as the same person if possible', () => {
    expect(firstChoice({ ...state, placeId: 'T2' }, 'ADA')).toMatchObject({ placeId: 'T2', userId: 'FAY' });
    expect(firstChoice({ ...state, placeId: 'E1' }, 'EVE')).toMatchObject({ placeId: 'E1', userId: 'EVE' });
  });

  it('goes to another workspace as an admin of it; a person who belongs to both stays', () => {
    const ada = firstChoice(state, 'ADA');
    expect(withPlace(state, ada, 'T2')).toMatchObject({ placeId: 'T2', userId: 'FAY' });
    expect(withPlace(state, ada, 'E1')).toMatchObject({ placeId: 'E1', userId: 'ADA' });
  });

  it('tells a member whom to ask, and an admin why it is refused', () => {
    const refusal = (placeId: string, userId: string) =>
      chosen(state, { placeId, userId, declined: [] }).refusal;
    expect(refusal('T1', 'ADA')).toBe('Only an admin of One can install apps. Ask BOB or CHEN.');
    expect(refusal('T1', 'BOB')).toBeUndefined();
    expect(refusal('T2', 'FAY')).toBe('Not here.');
    expect(chosen(state, { placeId: 'T1', userId: 'FAY', declined: [] }).user).toBeUndefined();
  });
});

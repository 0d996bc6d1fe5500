import { expect, test } from 'vitest';
import { deliverySourceOf } from '../../../src/slack/receivers/http.ts';

const teamOf = (body: object, isEnterpriseInstall = false) =>
  deliverySourceOf(body, { enterpriseId: 'E9', isEnterpriseInstall }).teamId;

const event = { type: 'app_mention' };

test.each([
  ['its authorization', { authorizations: [{ team_id: 'T1' }], context_team_id: 'T2', team_id: 'T3' }, 'T1'],
  ['its context', { authorizations: [{ team_id: null }], context_team_id: 'T2', team_id: 'T3' }, 'T2'],
  ['its top level', { authorizations: [{ team_id: null }], team_id: 'T3' }, 'T3'],
  ['nothing, in a shared channel', { is_ext_shared_channel: true, team_id: 'T3' }, undefined],
  [
    'its context, in a shared channel',
    { is_ext_shared_channel: true, team_id: 'T3', context_team_id: 'T2' },
    'T2',
  ],
])('the workspace of an event is named by %s', (_, body, team) => {
  expect(teamOf({ event, ...body })).toBe(team);
  expect(teamOf({ event, ...body }, true)).toBe(team);
});

const user = { id: 'U1', team_id: 'T4' };
test.each([
  ['a command', { team_id: 'T1' }, 'T1'],
  ['a click', { team: { id: 'T1' }, user }, 'T1'],
  ['a form', { view: { app_installed_team_id: 'T2' }, team: { id: 'T1' }, user }, 'T2'],
])('the workspace of %s is the one where the app is installed', (_, body, team) => {
  expect(teamOf(body)).toBe(team);
  expect(teamOf(body, true)).toBe(team);
});

test('a click without a workspace may be one of the person, but only where Slack lists it for the organisation', () => {
  expect(teamOf({ team: null, user })).toBeUndefined();
  expect(teamOf({ team: null, user }, true)).toBe('T4');
  expect(deliverySourceOf({ team: null, user }, { enterpriseId: 'E9', isEnterpriseInstall: true })).toEqual({
    teamId: 'T4',
    enterpriseId: 'E9',
    isEnterpriseInstall: true,
  });
});

test('a form that names the organisation as its team is of the workspace beside it', () => {
  const view = { app_installed_team_id: 'E9' };
  const source = { enterpriseId: 'E9', isEnterpriseInstall: true };
  expect(deliverySourceOf({ view, team: { id: 'T1' } }, source)).toMatchObject({ teamId: 'T1' });
  expect(deliverySourceOf({ view, team: null, user: { team_id: 'T2' } }, source).teamId).toBe('T2');
});

test.each([[{}], [null], [{ team_id: 7 }], [{ event, authorizations: 'no' }]])('%j names none', (body) => {
  expect(deliverySourceOf(body, { enterpriseId: undefined, isEnterpriseInstall: false })).toEqual({
    isEnterpriseInstall: false,
  });
});

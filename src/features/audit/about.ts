import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../../database/schema.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import type { Imo } from '../../reference/codes.ts';
import type { AskCtx } from '../ctx.ts';
import { readVisibleChannels } from '../visible-channels.ts';

const where = expressionBuilder<Schema, 'audit'>();

const like = (column: 'before' | 'after', text: string) =>
  sql<SqlBool>`${sql.ref(column)} like ${`%${text}%`}`;

const isOfWatch = () => where.or([where('action', 'like', 'watch.%'), where('action', 'like', 'alert.%')]);

/** Changes that say the number, and those of watches with its name in their titles, or that followed it when they began. */
export async function aboutVessel(imo: Imo, ctx: AskCtx): Promise<Expression<SqlBool>> {
  const { store } = ctx.services;
  const began = await store
    .selectFrom('audit')
    .select(['subject', 'channel_id'])
    .distinct()
    .where('action', '=', 'watch.add')
    .where(like('after', String(imo)))
    .orderBy('subject')
    .limit(maxWatches)
    .execute();
  const name = ctx.vessels.nameOf(imo);
  const matches = where.or([
    where('subject', 'like', `%${imo}%`),
    like('before', String(imo)),
    like('after', String(imo)),
    where.and([
      isOfWatch(),
      where.or([
        ...(name === undefined ? [] : [hasWords(name)]),
        ...began.map(({ subject, channel_id }) =>
          where.and([where('subject', '=', subject), where('channel_id', '=', channel_id)]),
        ),
        sql<SqlBool>`1 = 0`,
      ]),
    ]),
  ]);
  return where.and([matches, await mayBeKnown(store, matches, ctx)]);
}

const maxWatches = 100;

/** In a title, commas separate the vessels. */
const hasWords = (name: string) =>
  sql<SqlBool>`' ' || replace(upper(subject), ',', ' ') || ' ' like ${`% ${name.toUpperCase()} %`}`;

/** Otherwise a count would say that somebody else watches it privately. */
async function mayBeKnown(
  store: WorkspaceStore,
  matches: Expression<SqlBool>,
  ctx: AskCtx,
): Promise<Expression<SqlBool>> {
  const { actor, services } = ctx;
  const found = await store
    .selectFrom('audit')
    .select('channel_id')
    .distinct()
    .where('is_personal', '=', false)
    .where(matches)
    .execute();
  const channelIds = found.flatMap(({ channel_id }) => channel_id ?? []);
  const { mayKnow } = await readVisibleChannels(channelIds, ctx);
  const own = await services.slack.directMessageOf(actor.userId).catch(() => undefined);
  return where.or([
    where('channel_id', 'is', null),
    where.and([
      where('is_personal', '=', false),
      where('channel_id', 'in', ['', ...channelIds.filter(mayKnow)]),
    ]),
    where.and([
      where('is_personal', '=', true),
      where('channel_id', 'in', [actor.userId, ...(own === undefined ? [] : [own])]),
    ]),
  ]);
}

/** Changes of the digests of a channel with this title, or with one that it had before. */
export async function aboutDigest(
  { title, channelId }: { title: string; channelId: string },
  { services: { store } }: AskCtx,
): Promise<Expression<SqlBool>> {
  const renames = await store
    .selectFrom('audit')
    .select(['before', 'after'])
    .where('action', '=', 'digest.change')
    .where('channel_id', '=', channelId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const titles = new Set([title]);
  for (const { before, after } of renames) {
    const [was, is] = [titled.safeParse(before).data, titled.safeParse(after).data];
    if (was && is && titles.has(is.title)) titles.add(was.title);
  }
  return where.and([
    where('action', 'like', 'digest.%'),
    where('channel_id', '=', channelId),
    where('subject', 'in', [...titles]),
  ]);
}

const titled = z.object({ title: z.string() });

import { nextPortsOf, watchesIn } from '../../answers/answer.ts';
import { ownLines, UserError } from '../../errors.ts';
import {
  byPersonOption,
  formatByPerson,
  formatOfChannel,
  formatPage,
  formatPerson,
  howToNamePerson,
  joinWords,
  ofChannelOption,
  optionOf,
  pageOption,
  quote,
  readPerson,
  scanOptions,
  wordOption,
} from '../../grammar/line.ts';
import { findPortsIn } from '../../grammar/port.ts';
import { findVessels } from '../../grammar/vessel.ts';
import { placesIn, readAbout } from '../bot-topics.ts';
import { command, type VariantLine, variant } from '../command.ts';
import { checkIsStillAdmin, offer, offerCalls, type ParseContext, type Question } from '../ctx.ts';
import type { Feature } from '../feature.ts';
import { withPausedWork } from '../owned/index.ts';
import { oneOf } from '../question-words.ts';
import { type Filter, overviewAnswer, overviewTable } from './answer.ts';
import { adminsOnly, handedOverAnswer, handOver, handOverAction, handOverForm } from './hand-over.ts';
import { plurals, thingKinds } from './read-things.ts';
import { readOverview } from './visible.ts';

interface ListValues extends Filter {
  page: number;
}

const list = variant<ListValues>({
  format: ({ kind, isUnused, channelId, ownerId, page }) =>
    joinWords(
      ownLines.overview,
      kind && plurals[kind],
      isUnused ? 'unused' : '',
      formatOfChannel(channelId),
      formatByPerson(ownerId),
      formatPage(page),
    ),
  // So that guests learn that only admins may, and not that they can't change anything.
  effect: 'opens',
  privacy: 'never-shared',
  of: 'workspace',
  tables: [overviewTable],
  async run({ page, ...filter }, ctx) {
    await checkIsStillAdmin(ctx, ctx.services.slack, adminsOnly);
    const answer = overviewAnswer(await readOverview(ctx), { filter, page, now: ctx.now() });
    return withPausedWork(answer, ctx);
  },
});

/** All that one person has. */
const handingOver = variant<{ from: string; to: string }>({
  format: ({ from, to }) =>
    joinWords(ownLines.overview, 'hand over', formatPerson(from), 'to', formatPerson(to)),
  confirmation: 'Yes, hand over',
  effect: 'changes',
  privacy: 'never-shared',
  of: 'workspace',
  run: async ({ from, to }, ctx) =>
    handedOverAnswer(await handOver({ kind: 'owner', id: from }, to, ctx), to),
});

const things = oneOf('watch(?:es)?', 'digests?', 'alerts?', 'promises?');
const several = `(?:the |our )?(?:watches|digests|promises)(?:(?:,| and|, and| or) (?:watches|digests|promises))+`;
const everybody = oneOf('everybody', 'everyone', 'the (?:whole )?(?:team|workspace|company)', 'all of us');
const overall = oneOf(
  ...['everything', 'it all', 'all of it', 'all (?:the |our )?watches and digests', several],
  ...['(?:the |our )?(?:whole )?workspace', 'what we (?:have|watch)', 'what (?:is|has been) set up'],
);
const workspace = '(?:this|the|our) (?:whole )?(?:workspace|slack|company)';
const unused = oneOf(
  'unused',
  'idle',
  'forgotten',
  'abandoned',
  'stale',
  'nobody uses',
  'no(?:body| one) (?:needs|reads|looks at)',
);

const overviewQuestions: readonly Question[] = [
  {
    example: 'What watches and digests do we have?',
    asked: [
      `(?:(?:what|which|how many)(?: are| is)? |list |show(?: me)? )?(?:all )?${several}(?: (?:do we have|have we got|are there|exist|run|are set up))?`,
      `(?:(?:give|show|get|send) (?:me|us) )?(?:an? |the )?overview(?: (?:of|over) ${overall})?`,
      `what(?:'s| is| has been| have we)(?: all)? (?:set up|running) (?:in|across) ${workspace}`,
      `(?:(?:give|show|send) (?:me|us) )?(?:(?:one|a|the) (?:page|list|table) (?:with|of) )?(?:all|everything) (?:that is|that's|which is|that has been) (?:running|set up)(?: (?:in|across) ${workspace})?`,
    ],
    words: '',
  },
  {
    example: 'Who owns which watches?',
    asked: [
      `who (?:owns|has|set up|runs|is responsible for) (?:which|what) ${things}`,
      `who(?: is|'s)? (?:the )?owners? of (?:the |our |all |which )*${things}(?: (?:is|are) who)?`,
      `what (?:does|is|do) ${everybody} (?:watch|watching|follow|following|track|tracking)`,
    ],
    words: 'watches',
  },
  {
    example: 'Which watches does nobody use?',
    asked: [
      `(?:which|what) (?:watches|digests|of (?:the|our) watches)(?: and digests)? (?:does (?:nobody|no one)|do people not|are not|aren't|don't we|do we not) (?:use|used|need|needed|read)(?: any ?more)?`,
      `(?:(?:which|what)(?: are)? |list |show(?: me)? )?(?:the |our )?(?:watches|digests)(?: and (?:watches|digests))? (?:(?:that|which) )?(?:are )?${unused}`,
      `(?:(?:which|what) (?:watches|digests) are |list |show(?: me)? )?(?:the |our )?${unused}(?: watches| digests)(?: and (?:watches|digests))?`,
    ],
    words: 'unused',
  },
];

const overviewCommand = command({
  name: 'overview',
  isUnderLandfall: true,
  summary: 'All watches, digests and promises with their owners and costs; for workspace admins',
  usage: '[watches | digests | promises] [unused] [of #channel] [by @person] | hand over @person to @person',
  examples: [ownLines.overview, `${ownLines.overview} watches`, `${ownLines.overview} unused`],
  options: [
    { typed: 'watches, digests, promises', help: 'only these' },
    { typed: 'unused', help: 'only what nobody has used for 30 days, the longest first' },
    { typed: 'of #ops', help: 'only what is in this channel' },
    { typed: 'by @ann', help: 'only what this person owns' },
    { typed: 'hand over @ann to @ben', help: 'gives Ben all that Ann owns, as far as you may see it' },
  ],
  questions: overviewQuestions,
  ...readAbout('overview', ({ text }) => placesIn(text).join(' ')),
  variants: [list, handingOver],
  parse,
});

/** What is set up in the workspace, for its admins. */
export const overview: Feature = {
  commands: [overviewCommand],
  forms: [handOverForm],
  actions: [handOverAction],
};

/** Words that add nothing. */
const filler =
  /^(?:(?:of|over) )?(?:everything|all|(?:the |our )?(?:whole )?workspace)(?:,? please)?$|^please$/i;

const options = {
  ...{
    page: pageOption,
    channelId: ofChannelOption,
    ownerId: byPersonOption,
    isUnused: wordOption('unused'),
  },
  kind: optionOf(/(?:^|\s)(watches|digests|promises)$/i, ([, typed = '']) =>
    thingKinds.find((kind) => plurals[kind] === typed.toLowerCase()),
  ),
};

/** `watches unused of <#C024BE7LR> by <@U024BE7LH> page 2`, in any order, each part optional. Throws UserError. */
function parse(words: string, context: ParseContext): VariantLine {
  const about = { command: ownLines.overview, example: ownLines.overview };
  const { rest, values } = scanOptions(words, options, about);
  if (/^hand ?over\b/i.test(rest)) return parseHandOver(rest);
  if (rest !== '' && !filler.test(rest)) throw notUnderstood(rest, context);
  const { page = 1, ...filter } = values;
  return list.of({ ...filter, page });
}

function parseHandOver(words: string): VariantLine {
  const [, from = '', to = ''] = /^hand ?over (\S+) to (\S+)$/i.exec(words) ?? [];
  const ids = { from: readPerson(from), to: readPerson(to) };
  if (ids.from !== undefined && ids.to !== undefined) return handingOver.of({ from: ids.from, to: ids.to });
  throw new UserError({
    code: 'missing-argument',
    message: 'Whose watches and digests, and to whom?',
    hint: `Write “hand over @ann to @ben”. ${howToNamePerson}`,
    example: ownLines.overview,
  });
}

const notUnderstood = (words: string, context: ParseContext): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: `I don't understand ${quote(words)} here.`,
    hint: 'An overview can be “of” a channel and “by” a person: type # or @ and pick from the list that Slack shows.',
    choices: [
      ...findVessels(words, context.vessels)
        .slice(0, 1)
        .flatMap((imo) =>
          offer(`Where is ${context.vessels.nameOf(imo) ?? `IMO ${imo}`}?`, nextPortsOf(imo), context),
        ),
      ...findPortsIn(words)
        .slice(0, 1)
        .flatMap((port) => offerCalls(port, context)),
      { label: 'Everything', line: ownLines.overview },
      ...offer('Watches of my channels', watchesIn({ scope: 'all' }), context),
    ],
    example: ownLines.overview,
  });

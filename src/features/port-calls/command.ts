import type { LineHelp } from '../../grammar/line-help.ts';
import { periodHelp } from '../../grammar/period.ts';
import { formatPorts, maxPorts } from '../../grammar/ports.ts';
import { resolvePeriodWithin, type TimeSpan } from '../../grammar/resolve-period.ts';
import type { Locode } from '../../reference/locode.ts';
import { portOf } from '../../reference/ports.ts';
import { defineCommand } from '../command.ts';
import type { ActorsScope } from '../owned.ts';
import type { AnalyticsContext, AnalyticsServices } from '../run-context.ts';
import { dayNames, periodName } from '../table.ts';
import { askPortCalls, type PortCalls } from './answer.ts';
import { askPortDays, type PortDays } from './by-day/days.ts';
import { type PortDaysAnswer, portDaysView } from './by-day/days-view.ts';
import type { PortHistory } from './by-day/norm.ts';
import { type SeveralPortDaysAnswer, severalPortDaysView } from './by-day/several-days-view.ts';
import { portCallsFacts } from './facts.ts';
import { portCallQuestions } from './questions.ts';
import { askEach, askSeveralPorts } from './several.ts';
import { type SeveralPortsAnswer, severalPortsView } from './several-view.ts';
import { callRows, callsTable, dayRows, daysTable } from './table.ts';
import { portcallsTool } from './tool.ts';
import { type PortCallsAnswer, portCallsView } from './view.ts';
import { example, format, linesOf, type PortcallsArgs, parse } from './words.ts';

type PortcallsAnswer = PortCallsAnswer | SeveralPortsAnswer | PortDaysAnswer | SeveralPortDaysAnswer;

export interface PortCallsServices extends AnalyticsServices {
  portHistory(of: ActorsScope): PortHistory;
}

type PortCallsContext = AnalyticsContext & PortCallsServices;

export const portcalls = defineCommand<PortcallsArgs, PortcallsAnswer, PortCallsServices>({
  name: 'portcalls',
  summary: 'Which vessels may call at a port, when, and how probably',
  usage: '<port>[, <port> …] [period] [min 30%] [by eta|probability|day] [all]',
  examples: [
    'portcalls Rotterdam',
    example,
    'portcalls Rotterdam next week by day',
    'portcalls Rotterdam, Antwerp, Hamburg tomorrow',
    'portcalls SGSIN tomorrow min 30%',
    'portcalls Antwerp this weekend',
    'portcalls Hamburg by probability',
  ],
  options: [
    ...periodHelp.future.options,
    { typed: 'Rotterdam, Antwerp', help: `several ports in one answer, up to ${maxPorts}` },
    { typed: 'by day', help: "likely calls per day with their range, and the days above the port's norm" },
    { typed: 'min 30%', help: 'only calls of at least this probability; without it 10%' },
    { typed: 'by probability', help: 'the likeliest first, instead of the earliest' },
    { typed: 'all', help: 'the unlikely ones too' },
  ],
  optionsNote: periodHelp.future.note,
  questions: portCallQuestions,
  repeatable: true,
  parse,
  format,
  run,
  view: (answer, reader) => {
    switch (answer.kind) {
      case 'port-calls':
        return portCallsView(answer, reader);
      case 'several-port-calls':
        return severalPortsView(answer, reader);
      case 'port-days':
        return portDaysView(answer, reader);
      case 'several-port-days':
        return severalPortDaysView(answer, reader);
    }
  },
  facts: portCallsFacts,
  tools: [portcallsTool],
  tables: [callsTable, daysTable],
  table(answer, reader) {
    const ports = 'ports' in answer ? answer.ports : [answer];
    const content = {
      subject: ports.map(({ port }) => port),
      period: daysIn(ports[0]),
      fetchedAt: (row: { port: Locode }) => ports.find(({ port }) => port === row.port)?.fetchedAt,
      reader,
    };
    switch (answer.kind) {
      case 'port-calls':
        return callsTable.of({ rows: callRows(answer), ...content });
      case 'several-port-calls':
        return callsTable.of({ rows: answer.calls, ...content });
      case 'port-days':
        return daysTable.of({ rows: dayRows(answer), ...content });
      case 'several-port-days':
        return daysTable.of({ rows: answer.ports.flatMap(dayRows), ...content });
    }
  },
});

/** In the days of the port. */
function daysIn(asked: Pick<PortCalls, 'port' | 'period'> | PortDays | undefined): string | undefined {
  if (!asked) return undefined;
  if ('days' in asked) return dayNames(asked.days[0]?.day ?? '', asked.days.at(-1)?.day ?? '') || undefined;
  return asked.period && periodName(asked.period, portOf(asked.port)?.zone ?? 'UTC');
}

async function run(args: PortcallsArgs, context: PortCallsContext): Promise<PortcallsAnswer> {
  const { ports, by, minPercent } = args;
  if (by === 'day') return await runByDay(args, context);
  const lines = linesOf(args);
  const questionOf = (port: Locode) => ({
    ...{ port, by, minProbability: minPercent / 100 },
    period: spanOf(args, port, context),
  });
  if (ports.length > 1)
    return { kind: 'several-port-calls', ...lines, ...(await askSeveralPorts(ports, questionOf, context)) };
  return { kind: 'port-calls', ...lines, ...(await askPortCalls(questionOf(ports[0]), context)) };
}

async function runByDay(
  args: PortcallsArgs,
  context: PortCallsContext,
): Promise<PortDaysAnswer | SeveralPortDaysAnswer> {
  const { ports } = args;
  const lines = linesOf(args);
  const ask = (port: Locode): Promise<PortDays> =>
    askPortDays({ port, period: spanOf(args, port, context) }, context);
  if (ports.length === 1) return { kind: 'port-days', ...lines, ...(await ask(ports[0])) };
  const { answers, failed, provenance } = await askEach(ports, ask, context);
  return { kind: 'several-port-days', ...lines, ports: answers, failed, ...provenance };
}

/** The period in the days of that port. Throws UserError bad-period. */
function spanOf(
  { ports, period }: PortcallsArgs,
  port: Locode,
  { now }: PortCallsContext,
): TimeSpan | undefined {
  const help: LineHelp = { example, line: (fixed) => `portcalls ${formatPorts(ports)} ${fixed}` };
  const zone = portOf(port)?.zone ?? 'UTC';
  return period && resolvePeriodWithin(period, { now: now(), zone, direction: 'future', help });
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type App, HTTPModuleFunctions, HTTPResponseAck, type Logger, type Receiver } from '@slack/bolt';
import type { Measure, RefusedDelivery } from '../../measure.ts';
import type { ReadBody } from './body-reader.ts';
import { isSignedBySlack, maySlackHaveSigned } from './signature.ts';

/** Slack's unsigned check of the certificate has a token of 24 letters beside `ssl_check=1`. */
const maxSslCheckBytes = 1_000;

type Body = Record<string, unknown>;

/** Bolt's own receiver leaves a signed body that isn't a payload unanswered, and crashes on a signed `null`. */
export function createHttpReceiver({
  signingSecret = '',
  readBody,
  logger,
  measure,
}: {
  signingSecret: string | undefined;
  readBody: ReadBody;
  logger: Logger;
  measure: Measure;
}) {
  let app: App | undefined;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readPayload(request, response);
    if (body === undefined) return;
    if (body.ssl_check === '1') return HTTPModuleFunctions.buildSSLCheckResponse(response);
    if (body.type === 'url_verification') {
      return HTTPModuleFunctions.buildUrlVerificationResponse(response, body);
    }
    const ack = new HTTPResponseAck({
      ...{ logger, processBeforeResponse: false },
      ...{ httpRequest: request, httpRequestBody: body, httpResponse: response },
    });
    try {
      await app?.processEvent({ body, ack: ack.bind(), ...retryOf(request) });
    } catch (error) {
      logger.error(error);
    }
    // Acknowledges an unknown kind of payload, which no listener took.
    ack.ack();
    if (!response.headersSent) HTTPModuleFunctions.buildNoBodyResponse(response, 400);
  }

  /** Undefined if the request was refused. */
  async function readPayload(request: IncomingMessage, response: ServerResponse): Promise<Body | undefined> {
    const refuse = (status: number, reason: string, kind: RefusedDelivery = 'body') => {
      logger.warn(`Refused a request: ${reason}`);
      measure({ kind: 'refused-delivery', reason: kind });
      // Whatever the sender still has to send is not read.
      response.setHeader('connection', 'close');
      HTTPModuleFunctions.buildNoBodyResponse(response, status);
      return undefined;
    };
    const { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp } = request.headers;
    const nowMs = Date.now();
    const mayBeSigned = maySlackHaveSigned({ signature, timestamp }, nowMs);
    if (!mayBeSigned && !mayBeSslCheck(request)) return refuse(401, 'Slack has not signed it', 'signature');
    const chunks = request.iterator({ destroyOnReturn: false });
    const read = await readBody(chunks, request.headers['content-length']).catch(() => undefined);
    if (!read) return refuse(401, 'its body is not complete');
    if (read === 413) return refuse(413, 'its body is too large');
    if (read === 503) return refuse(503, 'too many large bodies at once');
    const text = read.toString();
    const isSigned = isSignedBySlack({ signature, timestamp, body: text }, { signingSecret, nowMs });
    // Slack doesn't sign its check of the certificate, so nothing else of that body may be read.
    if (!isSigned && isSslCheck(request, text)) return { ssl_check: '1' };
    if (!isSigned) return refuse(401, 'its signature is not valid', 'signature');
    const body = parseBody(Object.assign(request, { rawBody: read }));
    if (body === undefined) HTTPModuleFunctions.buildNoBodyResponse(response, 400);
    return body;
  }

  const receiver: Receiver = {
    init: (boltApp) => {
      app = boltApp;
    },
    start: async () => {},
    stop: async () => {},
  };
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    receive(request, response).catch((error) => {
      logger.error(error);
      if (!response.headersSent) HTTPModuleFunctions.buildNoBodyResponse(response, 500);
    });
  };
  return { receiver, handle };
}

const mayBeSslCheck = ({ headers }: IncomingMessage): boolean =>
  headers['content-type'] === 'application/x-www-form-urlencoded' &&
  Number(headers['content-length']) <= maxSslCheckBytes;

const isSslCheck = (request: IncomingMessage, body: string): boolean =>
  mayBeSslCheck(request) && new URLSearchParams(body).get('ssl_check') === '1';

function parseBody(request: IncomingMessage & { rawBody: Buffer }): Body | undefined {
  try {
    const body: unknown = HTTPModuleFunctions.parseHTTPRequestBody(request);
    // Any object is a record of unknown values.
    return typeof body === 'object' && body !== null ? (body as Body) : undefined;
  } catch {
    return undefined;
  }
}

function retryOf(request: IncomingMessage): { retryNum?: number; retryReason?: string } {
  const retryNum = HTTPModuleFunctions.extractRetryNumFromHTTPRequest(request);
  const retryReason = HTTPModuleFunctions.extractRetryReasonFromHTTPRequest(request);
  return { ...(retryNum !== undefined && { retryNum }), ...(retryReason !== undefined && { retryReason }) };
}

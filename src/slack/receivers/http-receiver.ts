import type { IncomingMessage, ServerResponse } from 'node:http';
import { type App, HTTPModuleFunctions, HTTPResponseAck, type Logger, type Receiver } from '@slack/bolt';
import { type Measure, measureNothing, type RefusedDelivery } from '../../measure.ts';
import { isSignedBySlack } from './signature.ts';

/** Slack's payloads are far smaller. */
const bodyLimitBytes = 1024 * 1024;

/** Bolt's own receiver leaves a signed body that isn't a payload unanswered, and crashes on a signed `null`. */
export function createHttpReceiver({
  signingSecret = '',
  logger,
  measure = measureNothing,
}: {
  signingSecret: string | undefined;
  logger: Logger;
  measure?: Measure;
}) {
  let app: App | undefined;

  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request, response, { signingSecret, logger, measure });
    if (body === undefined) return;
    if (body.ssl_check === '1') return HTTPModuleFunctions.buildSSLCheckResponse(response);
    if (body.type === 'url_verification') {
      return HTTPModuleFunctions.buildUrlVerificationResponse(response, body);
    }
    const ack = new HTTPResponseAck({
      logger,
      processBeforeResponse: false,
      httpRequest: request,
      httpRequestBody: body,
      httpResponse: response,
    });
    try {
      await app?.processEvent({ body, ack: ack.bind(), ...retryOf(request) });
    } catch (error) {
      logger.error(error);
    }
    // Acknowledges an unknown kind of payload, which no listener took.
    ack.ack();
    if (!response.headersSent) HTTPModuleFunctions.buildNoBodyResponse(response, 400);
  };

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

type Body = Record<string, unknown>;

/** Undefined if the request was refused. */
async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { signingSecret, logger, measure }: { signingSecret: string; logger: Logger; measure: Measure },
): Promise<Body | undefined> {
  const refuse = (status: number, reason: string, kind: RefusedDelivery = 'body') => {
    logger.warn(`Refused a request: ${reason}`);
    measure({ kind: 'refused-delivery', reason: kind });
    HTTPModuleFunctions.buildNoBodyResponse(response, status);
    return undefined;
  };
  let buffered: Buffered;
  try {
    buffered = await HTTPModuleFunctions.bufferIncomingMessage(request, bodyLimitBytes);
  } catch (error) {
    const tooLarge = HTTPModuleFunctions.isRawBodyError(error) && error.statusCode === 413;
    return tooLarge ? refuse(413, 'its body is too large') : refuse(401, 'its body is not complete');
  }
  const { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp } = request.headers;
  const text = buffered.rawBody.toString();
  const isSigned = isSignedBySlack(
    { signature, timestamp, body: text },
    { signingSecret, nowMs: Date.now() },
  );
  // Slack doesn't sign its check of the certificate, so nothing else of that body may be read.
  if (!isSigned && isSslCheck(request, text)) return { ssl_check: '1' };
  if (!isSigned) return refuse(401, 'its signature is not valid', 'signature');
  const body = parse(() => HTTPModuleFunctions.parseHTTPRequestBody(buffered));
  if (body === undefined) HTTPModuleFunctions.buildNoBodyResponse(response, 400);
  return body;
}

type Buffered = Awaited<ReturnType<typeof HTTPModuleFunctions.bufferIncomingMessage>>;

const isSslCheck = ({ headers }: IncomingMessage, body: string): boolean =>
  headers['content-type'] === 'application/x-www-form-urlencoded' &&
  new URLSearchParams(body).get('ssl_check') === '1';

function parse(read: () => unknown): Body | undefined {
  try {
    const body = read();
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

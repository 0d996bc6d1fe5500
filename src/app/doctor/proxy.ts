import { once } from 'node:events';
import { connect } from 'node:net';
import { proxyHost } from '../../config/proxy.ts';
import { networkReasonOf } from '../../errors.ts';
import { answerWithinMs, type Finding, fail, pass, type Section, warn } from './finding.ts';

/** Whether something listens there. Whether it lets Landfall out, the next sections find. */
export const checkProxy: Section = async ({ config: { proxy }, env }) => {
  if (proxy) {
    const hosts = new Set([proxy.https, ...(proxy.http === undefined ? [] : [proxy.http])].map(proxyHost));
    return await Promise.all([...hosts].map((host) => checkHost(host, env.no_proxy || env.NO_PROXY)));
  }
  if (env.all_proxy || env.ALL_PROXY)
    return [warn('ALL_PROXY is set, but Landfall does not read it', 'Set HTTPS_PROXY instead.')];
  return [pass('No proxy: connections are direct')];
};

async function checkHost(host: string, except: string | undefined): Promise<Finding> {
  const { hostname, port } = new URL(`http://${host}`);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(answerWithinMs) });
    return pass(`Connections go through the proxy ${host}${except ? `, except to ${except}` : ''}`);
  } catch (error) {
    return fail(
      `The proxy ${host} can't be reached: ${networkReasonOf(error)}`,
      'Check HTTPS_PROXY, or remove it to connect directly.',
    );
  } finally {
    socket.on('error', () => {}).destroy();
  }
}

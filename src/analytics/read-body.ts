export const maxBodyBytes = 20 * 1024 * 1024;

/** Reads a body as UTF-8; undefined if it is larger than the limit. Throws what fetch throws. */
export async function readBody(response: Response): Promise<string | undefined> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream and closes the connection.
    if (bytes > maxBodyBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

import { createServer, type IncomingMessage, type Server } from "node:http";
import { Webhook } from "standardwebhooks";

/** A webhook with a valid signature. */
export interface ReceivedWebhook {
  readonly id: string;
  readonly body: unknown;
}

/** Webhooks of Tillkit have a few hundred bytes. */
const MAX_BYTES = 16 * 1_024;
/** How long an id is remembered, in milliseconds. Twice the age at which a signature is refused. */
const MEMORY = 10 * 60_000;
/** The time for a whole request, in milliseconds. */
const REQUEST_TIMEOUT = 10_000;

/**
 * Creates a server that verifies webhooks and passes each on once.
 *
 * Answers 400 to a wrong signature and to an old time, 413 to a long body, and 500 if `receive`
 * fails: the sender then repeats the webhook. `receive` must end before the sender's deadline. A
 * real receiver stores the ids in its database, with the effect.
 */
export function webhookReceiver(
  secret: string,
  receive: (webhook: ReceivedWebhook) => void | Promise<void>,
): Server {
  const webhook = new Webhook(secret);
  const receivedOnce = once();
  const answer = async (request: IncomingMessage): Promise<number> => {
    const headers = {
      "webhook-id": String(request.headers["webhook-id"] ?? ""),
      "webhook-timestamp": String(request.headers["webhook-timestamp"] ?? ""),
      "webhook-signature": String(request.headers["webhook-signature"] ?? ""),
    };
    if (Object.values(headers).includes("")) return 400;
    const text = await readText(request);
    if (text === undefined) return 413;
    const body = verified(webhook, text, headers);
    if (body === undefined) return 400;
    const id = headers["webhook-id"];
    await receivedOnce(id, async () => receive({ id, body }));
    return 204;
  };
  return createServer({ requestTimeout: REQUEST_TIMEOUT }, (request, response) => {
    const send = (status: number): void => {
      // The rest of a long body is not read.
      if (!request.complete) response.setHeader("connection", "close");
      response.writeHead(status).end();
    };
    answer(request).then(send, () => send(500));
  });
}

/** Reads a body as text. Returns `undefined` if it is too long. */
async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  const parts: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const part of parts) {
    size += part.length;
    if (size > MAX_BYTES) return undefined;
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString();
}

/** Returns a function that runs the work for each id until it has succeeded once. */
function once(): (id: string, work: () => Promise<void>) => Promise<void> {
  const works = new Map<string, { readonly at: number; readonly done: Promise<void> }>();
  return async (id, work) => {
    const now = Date.now();
    // A map lists its oldest entry first.
    for (const [oldest, { at }] of works) {
      if (now - at < MEMORY) break;
      works.delete(oldest);
    }
    const known = works.get(id);
    if (known !== undefined) return known.done;
    const done = work();
    works.set(id, { at: now, done });
    try {
      await done;
    } catch (error) {
      works.delete(id);
      throw error;
    }
  };
}

function verified(webhook: Webhook, body: string, headers: Record<string, string>): unknown {
  try {
    return webhook.verify(body, headers);
  } catch {
    return undefined;
  }
}

import { createServer, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

/** A webhook with a valid signature. */
export interface ReceivedWebhook {
  readonly id: string;
  readonly body: unknown;
}

/**
 * Creates a server that verifies webhooks and passes each on once.
 *
 * Answers 400 to a wrong signature and to an old time. `receive` must end before the sender's
 * deadline. A real receiver stores the ids in its database, with the effect.
 */
export function webhookReceiver(secret: string, receive: (webhook: ReceivedWebhook) => void): Server {
  const webhook = new Webhook(secret);
  const seen = new Set<string>();
  return createServer((request, response) => {
    const answer = (status: number): void => void response.writeHead(status).end();
    buffer(request).then(
      (bytes) => {
        const id = String(request.headers["webhook-id"]);
        const headers = {
          "webhook-id": id,
          "webhook-timestamp": String(request.headers["webhook-timestamp"]),
          "webhook-signature": String(request.headers["webhook-signature"]),
        };
        const body = verified(webhook, bytes.toString(), headers);
        if (body === undefined) {
          answer(400);
          return;
        }
        if (!seen.has(id)) receive({ id, body });
        seen.add(id);
        answer(204);
      },
      () => answer(400),
    );
  });
}

function verified(webhook: Webhook, body: string, headers: Record<string, string>): unknown {
  try {
    return webhook.verify(body, headers);
  } catch {
    return undefined;
  }
}

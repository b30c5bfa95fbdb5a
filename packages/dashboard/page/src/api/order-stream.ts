import { isOrderKey, type OrderKey } from "./order-key.js";
import { addressOf } from "./request.js";

/**
 * How long a new stream may be silent, in milliseconds.
 *
 * After a longer silence, the page assumes that a proxy buffers the events.
 */
const FIRST = 5_000;
/** How long a stream may be silent later, in milliseconds. The server writes every 15 seconds. */
const NEXT = 40_000;
/** How long the page waits after a failed stream before it opens another, in milliseconds. */
const PAUSE = 60_000;

/** What a stream reports. */
interface StreamEvents {
  readonly onAlive: () => void;
  readonly onSilent: () => void;
  readonly onChanged: (order: OrderKey) => void;
}

/** An open stream. */
export interface OrderStream {
  readonly close: () => void;
}

/** Opens the stream of some orders. Opens it again after a failure, until `close` is called. */
export function openOrderStream(orders: string, events: StreamEvents): OrderStream {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const after = (pause: number, act: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(act, pause);
  };
  const give = () => {
    source?.close();
    events.onSilent();
    after(PAUSE, open);
  };
  const open = () => {
    const opened = new EventSource(addressOf("/api/order-events", { query: { orders } }));
    source = opened;
    after(FIRST, give);
    opened.addEventListener("alive", () => {
      after(NEXT, give);
      events.onAlive();
    });
    opened.addEventListener("changed", ({ data }: MessageEvent<unknown>) => {
      const order: unknown = typeof data === "string" ? JSON.parse(data) : undefined;
      if (isOrderKey(order)) events.onChanged(order);
    });
    opened.addEventListener("error", () => {
      // The server has refused the stream. Otherwise the browser connects again by itself.
      if (opened.readyState === EventSource.CLOSED) {
        give();
        return;
      }
      events.onSilent();
      after(FIRST, give);
    });
  };
  open();
  return {
    close: () => {
      clearTimeout(timer);
      source?.close();
    },
  };
}

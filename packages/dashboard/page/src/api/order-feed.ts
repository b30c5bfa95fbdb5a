import { MOUNT_PATH } from "./mount-path.js";
import type { OrderKey } from "./order-key.js";
import { openOrderStream, type OrderStream } from "./order-stream.js";

/** How often a tab tells the other tabs which orders it shows, in milliseconds. */
const REPEAT = 10_000;
/** After this time without a message, a tab counts as closed, in milliseconds. */
const GONE = 3 * REPEAT;
/** How long the orders must stay the same before a new stream is opened, in milliseconds. */
const SETTLE = 300;
/** The maximum number of orders in one stream, and of characters of their keys in its address. */
const MAX_ORDERS = 20;
const MAX_LENGTH = 6_000;

/** The messages between the tabs of a browser. */
type Message =
  /** The orders that a tab shows. */
  | { readonly type: "shows"; readonly tab: string; readonly orders: readonly OrderKey[] }
  /** The tab that has the stream asks which orders the other tabs show. */
  | { readonly type: "who" }
  | { readonly type: "changed"; readonly order: OrderKey }
  /** The orders that the stream watches now. */
  | { readonly type: "covers"; readonly orders: readonly OrderKey[] };

/** The functions by which a view learns about its order. */
export interface OrderListener {
  readonly onChange: () => void;
  /** Receives whether changes are reported. If not, the view must load the order at intervals. */
  readonly onCover: (isCovered: boolean) => void;
}

/** The orders that the tabs of a browser show, and the stream that one tab opens for all tabs. */
export interface OrderFeed {
  /** Reports changes of an order while this tab is visible. Returns a function that ends this. */
  watch(key: OrderKey, listener: OrderListener): () => void;
}

const textOf = ({ appId, bizNo }: OrderKey) => JSON.stringify([appId, bizNo]);

/** The feed in a browser whose tabs cannot share locks or messages. It reports nothing. */
const PLAIN: OrderFeed = { watch: () => () => undefined };

const feeds = new Map<string, OrderFeed>();

/** Returns the feed of an operator. */
export function orderFeedOf(operator: string): OrderFeed {
  const known = feeds.get(operator);
  if (known !== undefined) return known;
  const canShare = "locks" in navigator && typeof BroadcastChannel === "function";
  const feed = canShare ? openFeed(`tillkit-orders ${MOUNT_PATH} ${operator}`) : PLAIN;
  feeds.set(operator, feed);
  return feed;
}

function openFeed(name: string): OrderFeed {
  const tab = Math.random().toString(36).slice(2);
  const channel = new BroadcastChannel(name);
  const listeners = new Map<OrderListener, { readonly key: OrderKey; isCovered: boolean }>();
  let covered = new Set<string>();
  let coveredAt = -Infinity;
  let leader: ReturnType<typeof lead> | undefined;
  let candidate: AbortController | undefined;

  const shown = (): readonly OrderKey[] =>
    document.visibilityState === "visible" ? [...listeners.values()].map(({ key }) => key) : [];
  const tell = (message: Message) => {
    channel.postMessage(message);
    receive(message);
  };
  const tellShown = () => tell({ type: "shows", tab, orders: shown() });
  const tellCover = () => {
    const isFresh = performance.now() - coveredAt < GONE;
    for (const [listener, watching] of listeners) {
      const isCovered = isFresh && covered.has(textOf(watching.key));
      if (isCovered === watching.isCovered) continue;
      watching.isCovered = isCovered;
      listener.onCover(isCovered);
      // Earlier changes were not reported.
      if (isCovered) listener.onChange();
    }
  };
  const receive = (message: Message) => {
    switch (message.type) {
      case "shows":
        leader?.show(message.tab, message.orders);
        return;
      case "who":
        tellShown();
        return;
      case "changed":
        for (const [{ onChange }, { key }] of listeners)
          if (textOf(key) === textOf(message.order)) onChange();
        return;
      case "covers":
        covered = new Set(message.orders.map(textOf));
        coveredAt = performance.now();
        tellCover();
    }
  };
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => receive(data));

  /** Takes part in the choice of the tab that has the stream, if this tab shows an order. */
  const takePart = () => {
    const wants = shown().length > 0;
    if (wants && candidate === undefined) {
      const own = new AbortController();
      candidate = own;
      const hold = () =>
        new Promise<void>((done) => {
          if (own.signal.aborted) {
            done();
            return;
          }
          leader = lead(tell);
          tell({ type: "who" });
          own.signal.addEventListener("abort", () => {
            leader?.end();
            leader = undefined;
            done();
          });
        });
      // The promise rejects if this tab gives up before it gets the lock.
      navigator.locks.request(name, { signal: own.signal }, hold).catch(() => undefined);
    }
    if (!wants) {
      candidate?.abort();
      candidate = undefined;
    }
    tellShown();
  };

  document.addEventListener("visibilitychange", () => {
    takePart();
    // Changes while the tab was hidden were not reported.
    if (document.visibilityState === "visible") for (const { onChange } of listeners.keys()) onChange();
  });
  addEventListener("pagehide", () => tell({ type: "shows", tab, orders: [] }));
  setInterval(() => {
    if (listeners.size === 0) return;
    tellShown();
    tellCover();
  }, REPEAT);

  return {
    watch: (key, listener) => {
      listeners.set(listener, { key, isCovered: false });
      takePart();
      tellCover();
      return () => {
        listeners.delete(listener);
        takePart();
      };
    },
  };
}

/** Keeps one stream for all tabs of a browser, with the orders that they show. */
function lead(tell: (message: Message) => void) {
  const tabs = new Map<string, { readonly orders: readonly OrderKey[]; readonly at: number }>();
  let watched = "[]";
  /** The streams that are open. The last one watches what the tabs show now. */
  let streams: readonly OrderStream[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Closes all streams except the last `count`. */
  const keepLast = (count: 0 | 1) => {
    for (const stream of streams.slice(0, streams.length - count)) stream.close();
    streams = streams.slice(streams.length - count);
  };
  const update = () => {
    const orders = chosen(tabs);
    const text = JSON.stringify(orders);
    if (text === watched) return;
    watched = text;
    if (orders.length === 0) {
      keepLast(0);
      tell({ type: "covers", orders: [] });
      return;
    }
    const ifLast = (act: () => void) => () => {
      if (streams.at(-1) !== stream) return;
      // The earlier streams stay until the new stream works or fails, so that no change is missed.
      keepLast(1);
      act();
    };
    const stream = openOrderStream(text, {
      onAlive: ifLast(() => tell({ type: "covers", orders })),
      onSilent: ifLast(() => tell({ type: "covers", orders: [] })),
      onChanged: (order) => tell({ type: "changed", order }),
    });
    streams = [...streams, stream];
  };
  return {
    show: (tab: string, orders: readonly OrderKey[]) => {
      tabs.set(tab, { orders, at: performance.now() });
      for (const [known, { at }] of tabs) if (performance.now() - at > GONE) tabs.delete(known);
      // Tabs that open together need one new stream.
      clearTimeout(timer);
      timer = setTimeout(update, SETTLE);
    },
    end: () => {
      clearTimeout(timer);
      keepLast(0);
      tell({ type: "covers", orders: [] });
    },
  };
}

/** Returns the orders of a stream, each once, as many as the server accepts. */
function chosen(tabs: ReadonlyMap<string, { readonly orders: readonly OrderKey[] }>): readonly OrderKey[] {
  const all = new Map([...tabs.values()].flatMap(({ orders }) => orders).map((key) => [textOf(key), key]));
  const found: OrderKey[] = [];
  let length = 0;
  for (const text of [...all.keys()].sort()) {
    const key = all.get(text);
    length += encodeURIComponent(JSON.stringify(key)).length;
    if (key === undefined || found.length >= MAX_ORDERS || length > MAX_LENGTH) break;
    found.push({ appId: key.appId, bizNo: key.bizNo });
  }
  return found;
}

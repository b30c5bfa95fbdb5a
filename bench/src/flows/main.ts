// Counts what one request runs: source files, functions and statements of the database.
import { parseArgs } from "node:util";
import { deliverDueEvents, type Order, orThrow } from "@tillkit/core";
import { headersIn, type Surface } from "@tillkit/core/http";
import * as z from "zod";
import { openCallCounter } from "./count-calls.js";
import { openHost, PASSWORD } from "./open-host.js";

/** Rounds that are not counted: they fill the caches, and open the connections. */
const WARM_UP = 4;

const { values } = parseArgs({ options: { all: { type: "boolean", default: false } } });
const host = await openHost();
const counter = await openCallCounter();
try {
  console.log(`${"".padEnd(28)}files functions statements`);
  for (let nth = 1; nth <= WARM_UP; nth += 1) await round(nth, false);
  await round(WARM_UP + 1, true);
} finally {
  counter.close();
  await host.close();
}

async function round(nth: number, isPrinted: boolean): Promise<void> {
  const { caller, surfaces, ports, sandbox, held, handler } = host;
  const asCaller = { app_id: caller.appId, app_secret: caller.appSecret };
  const operator = await signIn();
  const bizNoOf = (payChannel: string) => `flow-${payChannel}-${String(nth)}`;
  for (const payChannel of ["WALLET_A", "WALLET_B"] as const) {
    const bizNo = bizNoOf(payChannel);
    const body = { bizNo, customerIdentity: "customer-1", amount: 600, goodsTitle: "Month", payChannel };
    // The host caches the app and its pay tool for a second.
    await send(surfaces.payments, "/order.json", { ...body, bizNo: `${bizNo}-before` }, asCaller);
    await count(`creation, ${payChannel}`, () => send(surfaces.payments, "/order.json", body, asCaller));
    const order = await stored(bizNo);
    const { notified } = await orThrow(sandbox.simulatorControls.pay(order.id));
    if (notified) throw new Error("The notification was not held back.");
    const message = held.find(({ url }) => url === order.notifyUrl);
    if (message === undefined) throw new Error(`No notification about ${bizNo}`);
    await count(`notification, ${payChannel}`, () =>
      send(surfaces.notifications, pathIn(message.url), message.body, message.headers),
    );
    await count(`event delivery, ${payChannel}`, async () =>
      deliverDueEvents(ports, handler, { startTimer }),
    );
    const path = `/api/orders/${caller.appId}/${bizNo}/refunds`;
    const refund = { refundNo: `refund-${bizNo}`, amount: 600, reason: "returned" };
    const asOperator = { ...operator, "x-change-id": `change-${bizNo}` };
    await count(`operator refund, ${payChannel}`, () => send(surfaces.dashboard, path, refund, asOperator));
  }

  async function count(name: string, work: () => Promise<unknown>): Promise<void> {
    host.statements.length = 0;
    const { files, functions } = await counter.during(work);
    if (!isPrinted) return;
    const figures = `${files.size.toString().padStart(5)} ${functions.toString().padStart(9)} ${host.statements.length.toString().padStart(10)}`;
    console.log(`${name.padEnd(28)}${figures}`);
    if (!values.all) return;
    // The names of statements end with a digest of their text.
    for (const statement of host.statements) console.log(`  ${statement.replace(/_[0-9a-f]{16}$/, "")}`);
    for (const [path, ran] of [...files].sort()) console.log(`  ${path}  ${ran.join(" ")}`);
  }

  async function stored(bizNo: string): Promise<Order> {
    const found = await ports.orders.find({ appId: caller.appId, bizNo });
    const order = orThrow(found);
    if (order === undefined) throw new Error(`No order ${bizNo}`);
    return order;
  }

  async function signIn() {
    const { cookies = [], body } = await send(surfaces.dashboard, "/api/session", {
      name: "li",
      password: PASSWORD,
    });
    const { csrfToken } = z.object({ csrfToken: z.string() }).parse(JSON.parse(body));
    const cookie = cookies.map((one) => one.slice(0, one.indexOf(";"))).join("; ");
    return { cookie, "x-csrf-token": csrfToken };
  }
}

async function send(
  surface: Surface,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const reply = await surface.handle({
    method: "POST",
    path,
    query: "",
    peer: "192.0.2.1",
    headers: headersIn({ "content-type": "application/json", ...headers }),
    body: new TextEncoder().encode(text),
  });
  const { status, code = 0, body: answer } = reply;
  if (typeof answer !== "string") throw new TypeError("The reply is no text.");
  // The payments surface answers failures with HTTP status 200, too.
  if (status > 299 || code !== 0) throw new Error(`${path} answered ${String(status)}: ${answer}`);
  return { ...reply, body: answer };
}

function pathIn(url: string): string {
  return new URL(url).pathname.replace(/^\/wallets/, "");
}

function startTimer(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

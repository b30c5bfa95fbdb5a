import {
  createOrder,
  createOrderInput,
  defaultPolicy,
  deliverDueEvents,
  eventHandler,
  orThrow,
  parseInput,
  readRecordFigures,
  type RecordFiguresPorts,
} from "@tillkit/core";
import { closeOrder, closeOrderInput } from "@tillkit/core/operators";
import { aFoundException, anEntry, aRefund, expectOk } from "@tillkit/contract-tests";
import { memoryWallet, type MemoryWallet } from "@tillkit/memory";
import { postgresStores, type SqlRow } from "@tillkit/postgres";
import { nodeDigest, noopObserver, readKeyring, systemClock, systemRandom } from "@tillkit/runtime";
import { ok } from "neverthrow";
import { beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { commandHelp } from "../command-help.js";
import { type Place, sharedHost } from "../testing/cli.js";
import { aLine, LINE_TIME } from "../testing/import-lines.js";

/** The options with the operator's name and reason, which the audit log records. */
const BY = ["--operator", "kim", "--reason", "test"];
const CARD = JSON.stringify({ bankType: "CMB_DEBIT", bankAccount: "6225880137395123", realName: "Li Lei" });
const APP = ["--app", "app_1"];
const TOOL = {
  payChannel: "WALLET_A",
  accountId: "m-1",
  walletAppId: "wx-1",
  appEnv: "DEV",
  credentials: { key: "x", shipments: "VIRTUAL" },
};

/** The values that rows of the table need and that exist only after the shop was set up. */
interface Ids {
  readonly folder: string;
  readonly exception: string;
  readonly toAssign: string;
  readonly foreign: string;
  readonly toAdopt: string;
  readonly toApprove: string;
  readonly payTool: string;
  readonly client: string;
  readonly toReject: string;
}

/**
 * What a command does to the database.
 *
 * - an action: one entry of the audit log with this action, by the operator
 * - `reads`: nothing at all, so every table stays as it was
 * - `host`: changes that a background task or a deployment usually makes, so there is no entry
 */
type Effect = "reads" | "host" | `${string}.${string}`;

interface Row {
  readonly args: (ids: Ids) => readonly string[];
  readonly input?: string;
  /** Whether the command runs until it is stopped, and is stopped at once. */
  readonly isStopped?: true;
  readonly effect: Effect;
  /** Defaults to 0. */
  readonly code?: number;
  /** The events that the handlers of hosts receive afterwards, in order. Defaults to none. */
  readonly events?: readonly string[];
  /** By how much the figures change that the metrics of hosts show. Defaults to no change. */
  readonly figures?: Readonly<Record<string, number>>;
}

const order = (bizNo: string) => [...APP, bizNo];
const delivery = (bizNo: string) => ["--handler", "mailer", ...APP, "--biz-no", bizNo];
const ORDER_LINE = aLine(1, { appId: "app_1" });
const SERVICE_LINE = JSON.stringify({
  appId: "app_1",
  customerIdentity: "user-9",
  serviceTypeNo: "T-9",
  serviceNo: "S-9",
  serviceName: "Year",
  expireTime: LINE_TIME + 1,
  gmtCreate: LINE_TIME,
});
const CUSTOMER_LINE = JSON.stringify({
  appId: "app_1",
  mobileNo: "13800138000",
  customerId: "cus_9",
  gmtCreate: LINE_TIME,
});
const COUNTS = "date,store,newDownloads,updateDownloads\n2026-01-15,store_01,3,4\n";
const COUNTED = [...APP, "--from", "2026-01-15", "--until", "2026-01-15"];
const OTHER_COUNTS = ["--new", "5", "--updates", "6"];

/** An address at which no sandbox listens. */
const NO_SANDBOX = ["--control", "http://127.0.0.1:1"];

/** Every command, in an order in which each can do its work. A command may have several rows. */
const ROWS: Readonly<Record<string, Row>> = {
  "keys create": { args: ({ folder }) => ["--keys-file", `${folder}/new.json`], effect: "reads" },
  "keys rotate": { args: ({ folder }) => ["peppers", "--keys-file", `${folder}/new.json`], effect: "reads" },
  "keys reencrypt": { args: () => [], effect: "host" },
  // `login` and `logout` change sessions of a server. They fail here, because there is no folder
  // for the session.
  login: { args: () => ["--server", "http://localhost:1", ...BY.slice(0, 2)], effect: "reads", code: 2 },
  logout: { args: () => ["--server", "http://localhost:1"], effect: "reads", code: 2 },
  migrate: { args: () => [], effect: "reads" },
  plan: { args: () => [], effect: "reads" },
  // A single server is no cluster.
  "distribute --dry-run": { args: () => [], effect: "reads", code: 1 },
  distribute: { args: () => [], effect: "reads", code: 1 },
  // The server of the tests may lose data if its machine fails, which `doctor` reports.
  doctor: { args: () => [], effect: "reads", code: 1 },
  "apps create": { args: () => ["--name", "Kiosk", ...BY], effect: "app.create" },
  "apps set": { args: () => ["app_1", "--allow-card", ...BY], effect: "app.rules" },
  "apps list": { args: () => [], effect: "reads" },
  "apps rotate-secret": { args: () => ["app_1", "--overlap-hours", "1", ...BY], effect: "app.rotate-secret" },
  "apps disable": { args: () => ["app_1", ...BY], effect: "app.disable" },
  "apps enable": { args: () => ["app_1", ...BY], effect: "app.enable" },
  "pay-tools set": { args: () => [...APP, "-", ...BY], input: JSON.stringify(TOOL), effect: "pay-tool.set" },
  "pay-tools change": {
    args: ({ payTool }) => [payTool, "-", ...BY],
    input: '{"appName":"Notes"}',
    effect: "pay-tool.change",
  },
  "pay-tools list": { args: () => APP, effect: "reads" },
  "pay-tools check": { args: () => [], effect: "reads" },
  "service-types create": {
    args: () => [...APP, "--name", "Month", "--days", "30", "--number", "T-1", ...BY],
    effect: "service-type.create",
  },
  "service-types list": { args: () => APP, effect: "reads" },
  "service-types rename": {
    args: () => ["T-1", ...APP, "--name", "Week", ...BY],
    effect: "service-type.rename",
  },
  "service-types retire": { args: () => ["T-1", ...APP, ...BY], effect: "service-type.retire" },
  "service-types restore": { args: () => ["T-1", ...APP, ...BY], effect: "service-type.restore" },
  "clients create": { args: () => [...APP, "--daily-limit", "5", ...BY], effect: "downloads-client.create" },
  "clients set": {
    args: ({ client }) => [client, "--daily-limit", "6", ...BY],
    effect: "downloads-client.limit",
  },
  "clients rotate": { args: ({ client }) => [client, ...BY], effect: "downloads-client.rotate" },
  "clients disable": { args: ({ client }) => [client, ...BY], effect: "downloads-client.disable" },
  "clients enable": { args: ({ client }) => [client, ...BY], effect: "downloads-client.enable" },
  "clients list": { args: () => [], effect: "reads" },
  "downloads import": { args: () => ["-", ...APP, ...BY], input: COUNTS, effect: "downloads.import" },
  "downloads report": { args: () => COUNTED, effect: "reads" },
  "downloads gaps": { args: () => APP, effect: "reads" },
  "downloads set --dry-run": {
    args: () => [...COUNTED, "--store", "store_01", ...OTHER_COUNTS, ...BY],
    effect: "reads",
  },
  "downloads set": {
    args: () => [...COUNTED, "--store", "store_01", ...OTHER_COUNTS, ...BY],
    effect: "downloads.set",
  },
  "stores list": { args: () => [], effect: "reads" },
  "stores add --dry-run": { args: () => ["Huawei", ...BY], effect: "reads" },
  "stores add": { args: () => ["Huawei", ...BY], effect: "store.add" },
  "stores alias --dry-run": { args: () => ["Huawei", "AppGallery", ...BY], effect: "reads" },
  "stores alias": { args: () => ["Huawei", "AppGallery", ...BY], effect: "store.alias" },
  "stores rename --dry-run": { args: () => ["Huawei", "华为", ...BY], effect: "reads" },
  "stores rename": { args: () => ["Huawei", "华为", ...BY], effect: "store.rename" },
  "stores merge --dry-run": { args: () => ["store_01", "--into", "华为", ...BY], effect: "reads" },
  "stores merge": { args: () => ["store_01", "--into", "华为", ...BY], effect: "store.merge" },
  "downloads delete --dry-run": { args: () => [...COUNTED, "--store", "华为", ...BY], effect: "reads" },
  "downloads delete": { args: () => [...COUNTED, "--store", "华为", ...BY], effect: "downloads.delete" },
  status: { args: () => [], effect: "reads", code: 1 },
  "alarms list": { args: () => [], effect: "reads", code: 1 },
  "alarms acknowledge": {
    args: () => [...order("held-1"), ...BY],
    effect: "order.acknowledge",
    figures: { "alarm REFUND_ABNORMAL": -1 },
  },
  "orders find": { args: () => [...APP, "--biz-no", "paid-1"], effect: "reads" },
  "orders list": { args: () => [], effect: "reads" },
  "orders watch": { args: () => order("no-such-order"), effect: "reads", code: 1 },
  "orders explain": { args: () => order("paid-1"), effect: "reads" },
  "orders sync": { args: () => [...order("open-1"), ...BY], effect: "order.sync" },
  "orders close": {
    args: () => [...order("open-1"), ...BY],
    effect: "order.close",
    events: ["order.closed"],
  },
  "orders refund": {
    args: () => [...order("paid-1"), "--amount", "100", "--refund-no", "r-1", ...BY],
    effect: "refund.request",
    events: ["refund.confirmed"],
  },
  "orders pay-out-refund": {
    args: () => [...order("held-1"), "--refund-no", "r-1", "--to", "customer", "--card-file", "-", ...BY],
    input: CARD,
    effect: "refund.pay-out",
    figures: { "refund ABNORMAL": -1, "refund SENT": 1 },
  },
  "orders report-shipment": {
    args: () => [...order("mini-1"), ...BY],
    effect: "order.report-shipment",
  },
  "refunds settle": {
    args: () => [...order("held-2"), "--refund-no", "r-1", ...BY],
    effect: "refund.settle",
    events: ["refund.confirmed", "order.refunded"],
    figures: { "refund ABNORMAL": -1 },
  },
  "refunds adopt": {
    args: () => [...order("console-1"), "--number", "5030", ...BY],
    effect: "refund.adopt",
    events: ["refund.confirmed"],
  },
  "refunds withdraw": {
    args: () => [...order("waiting-1"), "--refund-no", "r-1", ...BY],
    effect: "refund.withdraw",
    events: ["refund.failed"],
    figures: { "refund REQUESTED": -1 },
  },
  "refunds list": { args: () => [], effect: "reads" },
  "refunds approvals": { args: () => [], effect: "reads" },
  "refunds approve": {
    args: ({ toApprove }) => [toApprove, ...BY],
    effect: "refund.approve",
    events: ["refund.confirmed"],
    figures: { approvals: -1 },
  },
  "refunds reject": {
    args: ({ toReject }) => [toReject, ...BY],
    effect: "refund.reject",
    figures: { approvals: -1 },
  },
  "reports month": { args: () => ["--month", "2026-01", "--gateway", "DEV"], effect: "reads" },
  "reports day": { args: () => ["--day", "2026-01-15", "--gateway", "DEV"], effect: "reads" },
  "bills reconcile": { args: () => ["--date", "2026-01-15"], effect: "host" },
  "bills exceptions": { args: () => [], effect: "reads", code: 1 },
  "bills assign": {
    args: ({ toAssign }) => [toAssign, "paid-1", ...APP, "--operator", "kim", "--note", "test"],
    effect: "bill-exception.assign",
    figures: { "exception PAYMENT_NOT_HERE": -1 },
  },
  "bills not-ours": {
    args: ({ foreign }) => [foreign, "--operator", "kim", "--note", "test"],
    effect: "bill-exception.not-ours",
    figures: { "exception PAYMENT_NOT_HERE": -1 },
  },
  "bills adopt": {
    args: ({ toAdopt }) => [toAdopt, "--operator", "kim", "--note", "test"],
    effect: "bill-exception.adopt",
    figures: { "exception REFUND_NOT_HERE": -1 },
  },
  "bills resolve": {
    args: ({ exception }) => [exception, "--operator", "kim", "--note", "test"],
    effect: "bill-exception.resolve",
    figures: { "exception PAYMENT_NOT_HERE": -1 },
  },
  "events tail": { args: () => [], isStopped: true, effect: "reads" },
  "events list": { args: () => ["--parked"], effect: "reads", code: 1 },
  "events replay": {
    args: () => [...delivery("parked-1"), ...BY],
    effect: "event.replay",
    figures: { "parked events": -1 },
  },
  "events skip": {
    args: () => [...delivery("parked-2"), ...BY],
    effect: "event.skip",
    figures: { "parked events": -1 },
  },
  "events handlers": { args: () => [], effect: "reads" },
  "events remove-handler": { args: () => ["mailer", ...BY], effect: "event.remove-handler" },
  "alerts test": { args: () => [], effect: "reads", code: 2 },
  "operators create": { args: () => ["li", "--role", "support", ...BY], effect: "operator.create" },
  "operators list": { args: () => [], effect: "reads" },
  "operators disable": { args: () => ["li", ...BY], effect: "operator.disable" },
  "operators enable": { args: () => ["li", ...BY], effect: "operator.enable" },
  "operators reset": { args: () => ["li", ...BY], effect: "operator.reset" },
  "operators role": { args: () => ["li", "viewer", ...APP, ...BY], effect: "operator.role" },
  "audit list": { args: () => [], effect: "reads" },
  "audit verify": { args: () => [], effect: "reads" },
  "audit export": { args: ({ folder }) => [`${folder}/audit.jsonl`, ...BY], effect: "audit.export" },
  "import orders --dry-run": { args: () => ["-", ...BY], input: ORDER_LINE, effect: "reads" },
  "import orders --connect --dry-run": { args: () => ["-", ...BY], input: ORDER_LINE, effect: "reads" },
  "import orders": { args: () => ["-", ...BY], input: ORDER_LINE, effect: "orders.import" },
  "import orders --dry-run --connect": { args: () => ["-", ...BY], input: ORDER_LINE, effect: "reads" },
  "import orders --connect": { args: () => ["-", ...BY], input: ORDER_LINE, effect: "orders.import" },
  "import services --dry-run": { args: () => ["-", ...BY], input: SERVICE_LINE, effect: "reads" },
  "import services": { args: () => ["-", ...BY], input: SERVICE_LINE, effect: "services.import" },
  "import customers --dry-run": { args: () => ["-", ...BY], input: CUSTOMER_LINE, effect: "reads" },
  "import customers": { args: () => ["-", ...BY], input: CUSTOMER_LINE, effect: "customers.import" },
  "export orders": { args: ({ folder }) => [`${folder}/orders.jsonl`, ...BY], effect: "orders.export" },
  "export refunds": { args: ({ folder }) => [`${folder}/refunds.jsonl`, ...BY], effect: "refunds.export" },
  "export settlements": {
    args: ({ folder }) => [`${folder}/settlements.jsonl`, ...BY],
    effect: "settlements.export",
  },
  "export services": { args: ({ folder }) => [`${folder}/services.jsonl`, ...BY], effect: "services.export" },
  "customers export": {
    args: ({ folder }) => [`${folder}/customer.json`, ...APP, "--identity", "user-9", ...BY],
    effect: "customer.export",
  },
  "customers erase": { args: () => [...APP, "--identity", "user-9", ...BY], effect: "reads" },
  "customers erase --confirm": {
    args: () => [...APP, "--identity", "user-9", ...BY],
    effect: "customer.erase",
  },
  "customers erased": { args: () => APP, effect: "reads" },
  "customers erase-again": {
    args: () => ["-", ...BY],
    input: JSON.stringify({ erasures: [{ appId: "app_1", customerIdentity: "user-9" }] }),
    effect: "customer.erase",
  },
  "sessions list": { args: () => [...APP, "--identity", "cus_9"], effect: "reads" },
  "sessions revoke": {
    args: () => [...APP, "--identity", "cus_9", "--all", ...BY],
    effect: "customer.end-sessions",
  },
  "customers move": {
    args: () => [...APP, "--from", "13800138000", "--to", "13900139000", ...BY],
    effect: "customer.move-number",
  },
  "customers merge": {
    args: () => [...APP, "--from", "cus_8", "--into", "cus_9", ...BY],
    effect: "customer.merge",
  },
  "customers detach": {
    args: () => [...APP, "--phone", "13900139000", ...BY],
    effect: "customer.detach-number",
  },
  "export customers": {
    args: ({ folder }) => [`${folder}/customers.jsonl`, ...BY],
    effect: "customers.export",
  },
  completion: { args: () => ["bash"], effect: "reads" },
  // `dev` works with its own database, and fails here because it cannot create the folder.
  dev: { args: () => ["--data-dir", "/dev/null/dev"], effect: "reads", code: 3 },
  "sandbox pay": { args: () => ["1", ...NO_SANDBOX], effect: "reads", code: 3 },
  "sandbox refund": { args: () => ["buy-1", ...NO_SANDBOX], effect: "reads", code: 3 },
  "sandbox notify": { args: () => ["1", ...NO_SANDBOX], effect: "reads", code: 3 },
  "sandbox fault": { args: () => NO_SANDBOX, effect: "reads", code: 3 },
  "sandbox sms": { args: () => NO_SANDBOX, effect: "reads", code: 3 },
};

const shared = sharedHost();
const wallets = {
  WALLET_A: memoryWallet("WALLET_A", systemClock),
  WALLET_B: memoryWallet("WALLET_B", systemClock),
};
const io = {
  openWallets: () => ok(wallets),
  passwords: { hash: async (password: string) => `hash of ${password}`, matches: async () => false },
};
const toolAnswer = z.object({ payTool: z.object({ id: z.string() }) });
const approvalAnswer = z.object({ approval: z.object({ id: z.string() }) });
let ids: Ids;
let recorder: Recorder;

beforeAll(async () => {
  const place = shared();
  ({ ids, recorder } = await setUp(place, wallets.WALLET_A));
  await recorder.events();
});

/** What a host would deliver and show after a command. */
interface Recorder {
  /** Delivers the due events, and returns their types. */
  events(): Promise<readonly string[]>;
  figures(): Promise<Readonly<Record<string, number>>>;
}

/** Creates a recorder of a host with an event handler of its own. */
async function aRecorder(ports: Parameters<typeof deliverDueEvents>[0] & RecordFiguresPorts) {
  await expectOk(ports.eventDeliveries.registerHandler("recorder", systemClock.now()));
  const received: string[] = [];
  const handle = async ({ type }: { readonly type: string }) => void received.push(type);
  const handler = eventHandler({ name: "recorder", handle });
  return {
    events: async () => {
      const round = () => deliverDueEvents(ports, handler, { startTimer: () => () => undefined });
      while ((await expectOk(round())).orders > 0) continue;
      return received.splice(0);
    },
    figures: async () => {
      const { alarms, refunds, approvals, exceptions, queues } = await expectOk(readRecordFigures(ports, []));
      return Object.fromEntries([
        ...alarms.map(({ type, count: open }) => [`alarm ${type}`, open] as const),
        ...refunds.map(({ status, count: open }) => [`refund ${status}`, open] as const),
        ...exceptions.map(({ kind, count: open }) => [`exception ${kind}`, open] as const),
        ["approvals", approvals],
        ["parked events", queues.parkedEvents.due],
      ]);
    },
  };
}

/** Returns the figures that differ, and by how much. */
function changes(before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differences = names.map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const);
  return Object.fromEntries(differences.filter(([, difference]) => difference !== 0));
}

/** Creates everything that the rows of the table change. */
async function setUp(
  place: Place,
  wallet: MemoryWallet,
): Promise<{ readonly ids: Ids; readonly recorder: Recorder }> {
  const { ask, env, sql, schema, folder, file } = place;
  await ask(["apps", "create", "--name", "Notes", "--app-id", "app_1", "--app-secret-stdin"], {
    input: "0123456789abcdef0123456789abcdef0123456789abcdef",
  });
  const tool = await ask(["pay-tools", "set", ...APP, await file("tool.json", JSON.stringify(TOOL))], io);
  const { credentialKeys, peppers } = await orThrow(readKeyring(env["TILLKIT_KEYS_FILE"] ?? ""));
  const ports = {
    ...postgresStores({ sql, schema, credentialKeys }),
    clock: systemClock,
    random: systemRandom,
    digest: nodeDigest({ peppers }),
    observer: noopObserver,
    policy: defaultPolicy,
    wallets,
    notificationsUrl: "https://pay.example/wallets",
  };
  const make = async (bizNo: string, opening: object = {}) => {
    const terms = {
      ...opening,
      bizNo,
      amount: 600,
      goodsTitle: "Month",
      payChannel: "WALLET_A",
      customerIdentity: "user-1",
    };
    const input = orThrow(parseInput(createOrderInput(defaultPolicy), terms));
    return (await expectOk(createOrder(ports, "app_1", input))).order.id;
  };
  const pay = async (bizNo: string, opening: object = {}) => {
    const id = await make(bizNo, opening);
    wallet.pay(id);
    await ask(["orders", "sync", ...order(bizNo)], io);
    return id;
  };
  await make("open-1");
  for (const bizNo of ["paid-1", "approve-1", "reject-1"]) await pay(bizNo);
  await pay("mini-1", { paySource: "JSAPI", payerId: "oUpF8uMuAJO" });
  const outTradeNo = await pay("console-1");
  const account = await expectOk(ports.payTools.current("app_1", "WALLET_A"));
  if (account === undefined) throw new Error("The app has no pay tool.");
  const request = { outTradeNo, refundNo: "5030", amount: 100, orderAmount: 600, reason: "", notifyUrl: "" };
  await expectOk(wallet.refund(account, request, { deadline: 1_000 }));
  for (const bizNo of ["held-1", "held-2"]) {
    const id = await pay(bizNo);
    wallet.holdNextRefund();
    const refund = ["orders", "refund", ...order(bizNo), "--all", "--refund-no", "r-1", ...BY];
    await ask(refund, io);
    wallet.endRefund(id, `${id}-r-1`, "ABNORMAL");
    await ask(refund, { ...io, code: 1 });
  }
  await pay("waiting-1");
  const draft = aRefund({
    appId: "app_1",
    bizNo: "waiting-1",
    refundNo: "r-1",
    nextTryAt: systemClock.now(),
  });
  await expectOk(ports.refunds.request(draft, anEntry({ type: "REFUND_REQUESTED" })));
  const policy = ["--policy-file", await file("policy.json", JSON.stringify({ refundApprovalOver: 300 }))];
  const wait = async (bizNo: string) => {
    const refund = ["orders", "refund", ...order(bizNo), "--amount", "400", "--refund-no", "r-1"];
    const by = ["--operator", "an", "--reason", "bought twice"];
    return approvalAnswer.parse(await ask([...refund, ...by, ...policy], { ...io, code: 1 })).approval.id;
  };
  const [toApprove, toReject] = [await wait("approve-1"), await wait("reject-1")];
  await expectOk(
    ports.sessions.identify("app_1", ports.digest.keyed("phone\napp_1\n+8613700137000"), "cus_8", 1),
  );
  await expectOk(ports.eventDeliveries.registerHandler("mailer", systemClock.now()));
  const failing = eventHandler({ name: "mailer", handle: () => Promise.reject(new Error("down")) });
  for (const bizNo of ["parked-1", "parked-2"]) {
    await make(bizNo);
    const close = { bizNo, reason: "test", operator: "an" };
    const input = orThrow(parseInput(closeOrderInput(defaultPolicy), close));
    await expectOk(closeOrder(ports, "app_1", input));
  }
  const once = { ...ports, policy: { ...defaultPolicy, eventTries: 1 } };
  await expectOk(deliverDueEvents(once, failing, { startTimer: () => () => undefined }));
  // Marks the calls that sent the refunds as ended.
  await sql.query(
    { name: "test_sends", text: `update ${schema}.refunds set sending_until_ms = 0 returning 1` },
    [],
  );
  const found = { exception: aFoundException(), toAssign: aFoundException(), foreign: aFoundException() };
  const listed = { appId: "app_1", bizNo: "console-1" };
  const toAdopt = aFoundException({
    kind: "REFUND_NOT_HERE",
    outTradeNo,
    refundNo: "5030",
    order: listed,
    amountThere: 100,
  });
  await expectOk(ports.billExceptions.report([...Object.values(found), toAdopt]));
  const exceptions = {
    exception: found.exception.id,
    toAssign: found.toAssign.id,
    foreign: found.foreign.id,
    toAdopt: toAdopt.id,
  };
  const payTool = toolAnswer.parse(tool).payTool.id;
  const client = "reports-of-notes";
  await ask(["clients", "create", ...APP, "--daily-limit", "5", "--id", client]);
  return {
    ids: { folder, ...exceptions, toApprove, toReject, payTool, client },
    recorder: await aRecorder(ports),
  };
}

const count = z.array(z.object({ name: z.string(), digest: z.string() }));

/** Returns a digest of each table. */
async function digests({ sql, schema }: Place): Promise<Readonly<Record<string, string>>> {
  const listed = await sql.query(
    {
      name: "test_tables",
      // The row of the readiness check is no data: `doctor` writes it as every host does.
      text: "select tablename from pg_tables where schemaname = $1 and tablename <> 'readiness'",
    },
    [schema],
  );
  const tables = listed.map((row: SqlRow) => String(row["tablename"]));
  const parts = tables.map(
    (table) =>
      `select '${table}' as name, md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as digest from ${schema}.${table} t`,
  );
  const rows = await sql.query({ name: `test_digests_${schema}`, text: parts.join(" union all ") }, []);
  return Object.fromEntries(count.parse(rows).map(({ name, digest }) => [name, digest]));
}

const entry = z.object({
  seq: z.coerce.number(),
  action: z.string(),
  outcome: z.string(),
  operator: z.string(),
  from: z.string(),
});

/** Returns the entries of the audit log, the last first. */
async function entries({ sql, schema }: Place) {
  const text = `select seq, action, outcome, operator, origin as "from" from ${schema}.audit_log order by seq desc`;
  return z.array(entry).parse(await sql.query({ name: "test_entries", text }, []));
}

it("has a row for every command, and for every dry run", () => {
  const all = commandHelp().map(({ command, help }) => ({ name: command.replace(/^tillkit ?/, ""), help }));
  const leaves = all.filter(
    ({ name }) => !all.some((other) => name === "" || other.name.startsWith(`${name} `)),
  );
  const dry = leaves.filter(({ help }) => /^ +--dry-run /m.test(help));
  const wanted = [...leaves.map(({ name }) => name), ...dry.map(({ name }) => `${name} --dry-run`)];
  const rows = Object.keys(ROWS);
  expect(
    wanted.filter((name) => !rows.includes(name)),
    "add a row to ROWS",
  ).toEqual([]);
  expect(rows.filter((name) => !wanted.includes(name.replace(/ --.*/, "")))).toEqual([]);
});

it.each(Object.entries(ROWS))("tillkit %s", async (name, row) => {
  const { args, input = "", isStopped, effect, code = 0, events = [], figures = {} } = row;
  const place = shared();
  const shown = await recorder.figures();
  const [before, logged] = [await digests(place), await entries(place)];
  const ran = await place.tillkit([...name.split(" "), ...args(ids)], {
    ...io,
    input,
    ...(isStopped === undefined ? {} : { stop: AbortSignal.abort() }),
  });
  expect({ code: ran.code, output: ran.code === code ? "" : ran.stdout + ran.stderr }).toEqual({
    code,
    output: "",
  });
  const added = (await entries(place)).filter(({ seq }) => !logged.some((one) => one.seq === seq));
  const after = await digests(place);
  if (effect === "reads") expect(after).toEqual(before);
  if (effect === "reads" || effect === "host") expect(added).toEqual([]);
  else expect(added).toMatchObject([{ action: effect, outcome: "done", operator: "kim", from: "cli" }]);
  expect({ events: await recorder.events(), figures: changes(shown, await recorder.figures()) }).toEqual({
    events,
    figures,
  });
});

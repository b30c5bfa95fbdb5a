import { randomInt } from "node:crypto";
import {
  configurePayTool,
  createApp,
  logIn,
  logInInput,
  orThrow,
  parseInput,
  type Ports,
} from "@tillkit/core";
import { headersIn, paymentsSurface } from "@tillkit/core/http";
import {
  type AccountPorts,
  createOperator,
  createOperatorInput,
  signIn,
  signInInput,
} from "@tillkit/core/operators";
import { scryptHasher } from "@tillkit/runtime";

/** Two requests with equal answers, which callers must not be able to distinguish by duration. */
export interface Pair {
  readonly name: string;
  readonly left: string;
  readonly right: string;
  /** How many requests of each kind to send. */
  readonly count: number;
  /**
   * A difference below this, in microseconds, cannot be measured. Defaults to the limit for pairs
   * with many requests.
   */
  readonly harmlessUs?: number;
  /** Sends the nth request of one kind. */
  readonly send: (isLeft: boolean, nth: number) => Promise<unknown>;
}

/** Operators of the test. Each gets fewer wrong attempts than the limit of a name. */
const OPERATORS = 30;
const TRIES = 5;
/** The phone numbers with a code. */
const NUMBERS = 900;
const UNKNOWN = { from: "192.0.2.1", traceId: "" } as const;

/** Creates the pairs, and what they need in the storage of `ports`. */
export async function pairs(ports: Ports, count: number): Promise<readonly Pair[]> {
  const { app, appSecret } = await orThrow(createApp(ports, { name: "Timing" }));
  const { appId } = app;
  const account = { accountId: "1900000001", walletAppId: "wx0000000000000001", credentials: {} };
  const labels = { appName: "Timing", appPackageName: "com.example", appSignature: "0a1b2c" };
  const payTool = { payChannel: "WALLET_A", appEnv: "DEV", ...account, ...labels } as const;
  await orThrow(configurePayTool(ports, appId, payTool));

  const surface = paymentsSurface(ports);
  const call = (method: string, path: string, id: string, secret: string, query = "", sent = "") => {
    const headers = headersIn({ app_id: id, app_secret: secret, "content-type": "application/json" });
    return surface.handle({ method, path, query, headers, body: new TextEncoder().encode(sent) });
  };
  const order = {
    bizNo: "buy-1",
    customerIdentity: "user-1",
    amount: 600,
    payChannel: "WALLET_A",
    goodsTitle: "A title of usual length",
    attachData: "a".repeat(4_000),
  };
  const created = await call("POST", "/order.json", appId, appSecret, "", JSON.stringify(order));
  if (created.code !== 0) throw new Error(`The order was not created: ${created.body}`);
  const read = (bizNo: string) =>
    call("GET", "/detail.json", appId, appSecret, `bizNo=${bizNo}&customerIdentity=user-2`);
  // Of the same lengths as the right values.
  const otherSecret = `${appSecret.slice(0, -4)}AAAA`;
  const otherApp = `${appId.slice(0, -4)}AAAA`;

  const token = await loggedIn(ports, appId);
  const other = await orThrow(createApp(ports, { name: "Other" }));
  const othersToken = await loggedIn(ports, other.app.appId);
  const unknownToken = `${token.slice(0, -4)}AAAA`;
  const check = (text: string) =>
    call("GET", "/checkAuth.json", appId, appSecret, `token=${encodeURIComponent(text)}`);
  // Wrong attempts at a number are limited, so each attempt has a number of its own.
  const asked = (nth: number) => `138${String(nth).padStart(8, "0")}`;
  for (let nth = 0; nth < NUMBERS; nth += 1) await addCode(ports, appId, asked(nth));
  const enter = (mobileNo: string) =>
    call("POST", "/auth.json", appId, appSecret, "", JSON.stringify({ mobileNo, authCode: "000000" }));

  const operators: AccountPorts = { ...ports, passwords: scryptHasher(), totp: NO_TOTP };
  const by = { operator: "timing", reason: "", ...UNKNOWN };
  for (let nth = 0; nth < OPERATORS; nth += 1) {
    const given = { name: `known-${nth}`, role: "support", password: "correct horse battery" };
    const input = orThrow(parseInput(createOperatorInput(), given));
    await orThrow(createOperator(operators, input, by));
  }
  const attempt = async (name: string): Promise<void> => {
    const input = orThrow(parseInput(signInInput(), { name, password: "wrong horse battery" }));
    const from = `198.51.${randomInt(256)}.${randomInt(256)}`;
    await signIn(operators, input, "optional", { from, traceId: "" });
  };
  return [
    {
      name: "app",
      left: "unknown app",
      right: "wrong secret",
      count,
      send: (isLeft) => call("GET", "/payTools.json", isLeft ? otherApp : appId, otherSecret),
    },
    {
      name: "order",
      left: "unknown bizNo",
      right: "another customer's order",
      count,
      send: (isLeft) => read(isLeft ? "buy-2" : "buy-1"),
    },
    {
      name: "session",
      left: "unknown token",
      right: "token of another app",
      count,
      send: (isLeft) => check(isLeft ? unknownToken : othersToken),
    },
    {
      name: "code",
      left: "number without a code",
      right: "wrong code",
      count: NUMBERS,
      // A wrong attempt is stored. A number allows five, too few for an exact time of the write.
      harmlessUs: 200,
      send: (isLeft, nth) => enter(isLeft ? asked(nth).replace("138", "139") : asked(nth)),
    },
    {
      name: "operator",
      left: "unknown name",
      right: "wrong password",
      count: OPERATORS * TRIES,
      send: (isLeft, nth) => attempt(`${isLeft ? "nobody" : "known"}-${nth % OPERATORS}`),
    },
  ];
}

/** The operators of the test have no second factor. */
const NO_TOTP: AccountPorts["totp"] = { keyOf: () => "", uri: () => "", stepOf: () => undefined };

/** Logs a customer in, and returns the token. */
async function loggedIn(ports: Ports, appId: string): Promise<string> {
  await addCode(ports, appId, "13700000000", "123456");
  const login = { mobileNo: "13700000000", authCode: "123456" };
  const input = orThrow(parseInput(logInInput(ports.policy), login));
  return (await orThrow(logIn(ports, appId, input))).token;
}

/** Stores a code without sending it. */
async function addCode(ports: Ports, appId: string, mobileNo: string, authCode = "999999") {
  const now = ports.clock.now();
  const number = `+86${mobileNo}`;
  const code = {
    appId,
    phoneHash: ports.digest.keyed(`phone\n${appId}\n${number}`)[0],
    codeHash: ports.digest.keyed(`code\n${appId}\n${number}\n${authCode}`)[0],
    expiresAt: now + 3_600_000,
  };
  await orThrow(ports.codes.add(code, { now, perDay: ports.policy.codeTriesPerDay }));
}

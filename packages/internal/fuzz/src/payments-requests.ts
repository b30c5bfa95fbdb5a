import { type Route, paymentsRoutes } from "@tillkit/core/http";
import fc from "fast-check";
import { type DocumentedParameter, documentedApi } from "./documented-api.js";
import { type Change, changesOf, type Draft } from "./requests.js";
import { MOBILE_NO, type TestFixture } from "./fixture.js";
import { CUSTOMER } from "./fixture-orders.js";

/** One request to the payments surface: a valid one with changes. */
export interface RequestStep {
  /** The method and path of its route. */
  readonly route: string;
  readonly caller: "demo" | "device";
  /** The JSON texts of the parameters; `undefined` for omitted ones. */
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly changes: readonly Change[];
  /** The name of one known fault, instead of `changes`. */
  readonly fault?: string;
}

/** A fault that has the same error code in every state. */
export interface Fault {
  readonly name: string;
  readonly code: number;
  readonly injectFault: (draft: Draft) => Draft;
}

/** Parameters with a specific error code. All others have 10003. */
const OWN_CODES: Readonly<Record<string, number>> = {
  amount: 10004,
  payChannel: 10005,
  paySource: 10006,
  sourceFrom: 10009,
  pageNum: 10012,
  pageSize: 10012,
};

/** A route of the route table with its parameters and faults. */
interface Endpoint {
  readonly name: string;
  readonly route: Route;
  readonly parameters: readonly DocumentedParameter[];
  readonly faults: readonly Fault[];
}

/** Returns an endpoint by its method and path. */
export function endpointNamed(name: string): Endpoint {
  return found(endpoints(), name);
}

/** Returns a fault of an endpoint by its name. */
export function faultNamed(endpoint: string, name: string): Fault {
  return found(endpointNamed(endpoint).faults, name);
}

function found<T extends { readonly name: string }>(all: readonly T[], name: string): T {
  const one = all.find((each) => each.name === name);
  if (one === undefined) throw new Error(`There is no ${name}.`);
  return one;
}

let known: readonly Endpoint[] | undefined;

/** Derives the endpoints from the route table once, so that new endpoints are included. */
function endpoints(): readonly Endpoint[] {
  if (known !== undefined) return known;
  const documented = documentedApi();
  known = paymentsRoutes.map((route) => {
    const name = `${route.method} ${route.path}`;
    const parameters = documented.get(name)?.parameters;
    if (parameters === undefined) throw new Error(`The reference has no ${name}.`);
    return { name, route, parameters, faults: faultsOf(route, parameters) };
  });
  return known;
}

/** Generates a step at any route of the table. */
export function stepsOf(fixture: TestFixture): fc.Arbitrary<RequestStep> {
  return fc.oneof(
    ...endpoints().map((endpoint) => {
      const { parameters } = endpoint;
      const values = Object.fromEntries(
        parameters.map((parameter) => {
          const json = fc.constantFrom(
            ...samplesOf(fixture, parameter).map((value) => JSON.stringify(value)),
          );
          return [parameter.name, parameter.required ? json : fc.option(json, { nil: undefined })];
        }),
      );
      const common = { route: fc.constant(endpoint.name), values: fc.record(values) };
      const names = parameters.map(({ name }) => name);
      const faults = endpoint.faults.map(({ name }) => name);
      return fc.oneof(
        {
          weight: 3,
          arbitrary: fc.record({
            ...common,
            caller: fc.constantFrom("demo", "device"),
            changes: fc.array(changesOf(names), { maxLength: 4, size: "max" }),
          }),
        },
        {
          weight: 1,
          arbitrary: fc.record({
            ...common,
            caller: fc.constant("demo"),
            changes: fc.constant([]),
            fault: fc.constantFrom(...faults),
          }),
        },
      );
    }),
    // Repeats the creations of the existing orders. The response depends on the state of the order.
    fc.record({
      route: fc.constant("POST /order.json"),
      caller: fc.constant("demo"),
      values: fc.constantFrom(...fixture.orders.map(jsonTextsOf)),
      changes: fc.constant([]),
    }),
  );
}

function jsonTextsOf(wanted: object): RequestStep["values"] {
  return Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, JSON.stringify(value)]));
}

/** Returns valid values of a parameter. An unknown parameter gets values that its schema allows. */
function samplesOf(fixture: TestFixture, { name, schema }: DocumentedParameter): readonly unknown[] {
  const known: Readonly<Record<string, readonly unknown[]>> = {
    bizNo: ["new-1", "new-2", ...fixture.orders.map((order) => order.bizNo)],
    customerIdentity: [CUSTOMER, "customer-2"],
    payerId: ["2088102146225135", "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o", "13800138000"],
    amount: [600, 1, 10_000_000_000],
    goodsTitle: ["VIP", "会员 🙂"],
    attachData: ["a note", '{"n":12345678901234567890}', "[1]", ""],
    serviceTypeNo: [fixture.serviceTypeNo, "svt-none"],
    mobileNo: [MOBILE_NO, "+8613800138001"],
    authCode: [fixture.authCode, "000000"],
    token: [fixture.token, `${fixture.token}x`, "x"],
  };
  if (known[name] !== undefined) return known[name];
  if (schema.enum !== undefined) return schema.enum;
  return schema.type === "integer" ? [schema.minimum ?? 1, schema.maximum ?? 2] : ["x"];
}

/** Returns the faults of a request to a route, one at a time. */
function faultsOf({ from }: Route, parameters: readonly DocumentedParameter[]): readonly Fault[] {
  const inBody = from === "body" || from === "anywhere";
  const ofParameters = parameters.flatMap((parameter) =>
    faultsOfParameter(parameter, inBody, from === "path"),
  );
  return [
    ...FAULTS,
    ...(inBody ? BODY_FAULTS : []),
    ...(from === "body" ? [] : [brokenPercent(from)]),
    ...ofParameters,
  ];
}

const FAULTS: readonly Fault[] = [
  header("no APP_ID", 1, "app_id", ""),
  header("no APP_SECRET", 1, "app_secret", ""),
  header("another secret", 1001, "app_secret", "sk_wrong"),
  header("another app", 1001, "app_id", "app-nobody"),
  { name: "another path", code: 10014, injectFault: (draft) => ({ ...draft, path: "/nothing.json" }) },
  { name: "another method", code: 10014, injectFault: (draft) => ({ ...draft, method: "PUT" }) },
];

function brokenPercent(from: Route["from"]): Fault {
  return {
    name: "broken percent-encoding",
    code: 10001,
    injectFault: (draft) =>
      from === "path"
        ? { ...draft, path: draft.path.replace(/\{\w+\}/, "%zz") }
        : { ...draft, query: "more=%zz" },
  };
}

const NO_OBJECTS = [
  ["half an object", '{"a":'],
  ["a list", "[]"],
  ["a text", '"x"'],
  ["null", "null"],
  ["no JSON", "a=1"],
] as const;

/** One byte more than `policy.maxRequestBytes`. */
const TOO_LARGE = new Uint8Array(64 * 1_024 + 1).fill(0x20);

const BODY_FAULTS: readonly Fault[] = [
  { name: "a body too large", code: 10011, injectFault: (draft) => ({ ...draft, body: TOO_LARGE }) },
  ...NO_OBJECTS.map(([name, text]): Fault => {
    const body = new Uint8Array(Buffer.from(text));
    return { name: `${name} as body`, code: 10001, injectFault: (draft) => ({ ...draft, body }) };
  }),
];
function faultsOfParameter(
  { name, required, schema }: DocumentedParameter,
  inBody: boolean,
  inPath: boolean,
): readonly Fault[] {
  const own = OWN_CODES[name] ?? 10003;
  const put = (what: string, code: number, json: string): Fault => ({
    name: `${name} is ${what}`,
    code,
    injectFault: (draft) => ({
      ...draft,
      members: [...draft.members.filter(([member]) => member !== name), [name, json]],
    }),
  });
  const twice: Fault = {
    name: `${name} twice`,
    code: 10001,
    injectFault: (draft) => ({
      ...draft,
      members: [...draft.members.filter(([member]) => member !== name), [name, '"x"'], [name, '"x"']],
    }),
  };
  const without: Fault = {
    name: `no ${name}`,
    code: 10002,
    injectFault: (draft) => ({ ...draft, members: draft.members.filter(([member]) => member !== name) }),
  };
  if (inPath) return [put("a control character", 10003, '"\\u0007"')];
  return [
    twice,
    ...(required ? [without] : []),
    ...(required && inBody ? [put("null", 10002, "null")] : []),
    ...(inBody ? [put("a list", own, '["x"]'), put("an object", own, "{}"), put("true", own, "true")] : []),
    ...(inBody && schema.type === "string" ? [put("half a surrogate", own, '"\\ud800"')] : []),
    ...(schema.type === "integer" ? [put("a fraction", own, "1.5"), put("below", own, "0")] : []),
    ...(name === "customerIdentity" || name === "bizNo" ? [put("with a NUL", 10003, '"a\\u0000"')] : []),
  ];
}

function header(name: string, code: number, key: string, value: string): Fault {
  return { name, code, injectFault: (draft) => ({ ...draft, headers: { ...draft.headers, [key]: value } }) };
}

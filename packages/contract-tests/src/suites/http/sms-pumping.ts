import { createApp, type Policy, policyWith, type ServiceEvent, type SmsMessage } from "@tillkit/core";
import { paymentsSurface, withConcurrencyLimit } from "@tillkit/core/http";
import { headersIn } from "@tillkit/core/ports";
import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { MINUTE } from "../../support/fixtures.js";
import { at, parsedJson } from "../../support/http/json.js";
import type { TestHost } from "../../support/http/test-host.js";
import { expectOk, type Opened } from "../../support/open-before-each.js";

/** How long and how hard the host is attacked. */
export interface PumpingOptions {
  /** The requests of the attacker. */
  readonly requests: number;
  /** The hour of the day at which the attack starts, and how many hours it lasts. */
  readonly from: number;
  readonly hours: number;
  /** The limits of the host, as a multiple of 200 messages an hour. */
  readonly scale: number;
}

const HOUR = 60 * MINUTE;
/** The hours of China, without daylight saving. */
const OFFSET = 8 * HOUR;
/** A hundred thousand requests take minutes on a busy machine. */
const TIMEOUT = HOUR;
/** The attacker's requests that arrive at one moment. */
const BURST = 50;

/**
 * Tests that an attack by SMS pumping never exceeds a limit of messages.
 *
 * The attacker requests codes for many numbers, apps, countries and addresses. The customers of
 * other apps must still be able to log in.
 *
 * @param open - Returns empty ports.
 * @example
 * ```ts
 * import { smsPumpingContract } from "@tillkit/contract-tests";
 * import { memoryPorts } from "@tillkit/memory";
 *
 * const open = async () => ({ port: memoryPorts(), close: async () => undefined });
 * smsPumpingContract("memory", open, { requests: 5_000, from: 18, hours: 8, scale: 1 });
 * ```
 */
export function smsPumpingContract(
  adapter: string,
  open: () => Promise<Opened<TestHost>>,
  options: PumpingOptions,
): void {
  describe(`SMS pumping: ${adapter}`, () => {
    it(
      `keeps every limit in ${options.requests} requests, and serves the other apps`,
      { timeout: TIMEOUT },
      async () => {
        const opened = await open();
        try {
          await attack(opened.port, options);
        } finally {
          await opened.close();
        }
      },
    );
  });
}

async function attack(host: TestHost, { requests, from, hours, scale }: PumpingOptions): Promise<void> {
  const policy = policyWith({
    smsCooldown: MINUTE,
    smsPerHourPerApp: 50 * scale,
    smsPerDayPerApp: 150 * scale,
    smsPerHourPerHost: 200 * scale,
    smsPerDayPerHost: 600 * scale,
    smsCountries: { CN: 300 * scale, US: 120 * scale, DE: 60 * scale },
    smsBlockedPrefixes: ["+86170"],
  });
  const events: ServiceEvent[] = [];
  const attackedIds = new Set<string>();
  const carrier = openCarrier(host, attackedIds);
  const ports = {
    ...host,
    policy,
    observer: { onEvent: (event: ServiceEvent) => void events.push(event) },
    smsSender: carrier.sender,
  };
  const surface = withConcurrencyLimit(ports, paymentsSurface(ports));
  const enroll = async (name: string) => {
    const { app, appSecret } = await expectOk(createApp(host, { name, accountBased: true }));
    return { appId: app.appId, appSecret };
  };
  const attacked = await Promise.all(Array.from({ length: 9 }, (_, nth) => enroll(`Attacked ${nth}`)));
  for (const { appId } of attacked) attackedIds.add(appId);
  const honest = await Promise.all(Array.from({ length: 3 }, (_, nth) => enroll(`Honest ${nth}`)));
  const call = async (
    { appId, appSecret }: { readonly appId: string; readonly appSecret: string },
    request: {
      readonly method: "GET" | "POST";
      readonly path: string;
      readonly query: object;
      readonly peer: string;
    },
  ) => {
    const { body } = await surface.handle({
      method: request.method,
      path: request.path,
      query: new URLSearchParams(Object.entries(request.query)).toString(),
      headers: headersIn({ app_id: appId, app_secret: appSecret }),
      body: new Uint8Array(),
      peer: request.peer,
    });
    return { code: at(parsedJson(body), "code"), text: body };
  };
  const sms = (app: (typeof honest)[number], mobileNo: string, peer: string) =>
    call(app, { method: "GET", path: "/sms.json", query: { mobileNo }, peer });
  const random = randomFrom(20_260_115);
  const attacker = openAttacker(random);

  // Advances the clock to the hour at which the attack starts.
  host.clock.advance((24 + from) * HOUR - ((host.clock.now() + OFFSET) % (24 * HOUR)));
  let loggedInWhileFull = 0;
  let alarmsBeforeRefusal: number | undefined;
  const logInHonestly = async (app: (typeof honest)[number], mobileNo: string) => {
    const isFull = carrier.sentThisHour() >= 0.8 * policy.smsPerHourPerHost;
    expect((await sms(app, mobileNo, "192.0.2.1")).text).toContain('"data":"ok"');
    const authCode = carrier.codeOf(app.appId, mobileNo);
    const query = { mobileNo, authCode };
    const login = await call(app, { method: "POST", path: "/auth.json", query, peer: "192.0.2.1" });
    expect(login.code).toBe(0);
    if (isFull) loggedInWhileFull += 1;
  };
  const bursts = Math.ceil(requests / BURST);
  let honestNumber = 0;
  let honestHour = -1;
  for (let burst = 0; burst < bursts; burst += 1) {
    const calls: Promise<void>[] = [];
    for (let nth = 0; nth < Math.min(BURST, requests - burst * BURST); nth += 1) {
      const app = attacked[random() < 0.4 ? 0 : Math.floor(random() * attacked.length)];
      if (app === undefined) throw new Error("There is no app.");
      calls.push(
        sms(app, attacker.number(), attacker.address()).then(({ code, text }) => {
          expect([0, 10016, 10022, 10023]).toContain(code);
          if (text.includes(TOTAL)) alarmsBeforeRefusal ??= events.filter(isAlarm).length;
        }),
      );
    }
    // Customers log in late in an hour, when the attack has used up its limits.
    const passed = (burst * hours) / bursts;
    const hour = Math.floor(passed);
    if (passed - hour >= 0.85 && honestHour < hour) {
      honestHour = hour;
      for (const app of honest)
        for (const country of honestCountries(hour)) {
          honestNumber += 1;
          calls.push(logInHonestly(app, numberOf(country, 5_000_000 + honestNumber)));
        }
    }
    await Promise.all(calls);
    host.clock.advance(Math.floor((hours * HOUR) / bursts));
  }

  carrier.expectWithin(policy, attacked[0]?.appId ?? "", events.filter(isAlarm));
  expect(loggedInWhileFull).toBeGreaterThan(0);
  expect(alarmsBeforeRefusal).toBeGreaterThan(0);
}

/** A part of the message if a total limit is reached. */
const TOTAL = "sends no more at the moment";

type Alarm = Extract<ServiceEvent, { type: "sms.limit-near" }>;

function isAlarm(event: ServiceEvent): event is Alarm {
  return event.type === "sms.limit-near";
}

/** The countries of the customers who log in to an app in an hour. They fit into the reserve. */
function honestCountries(hour: number): readonly Country[] {
  return ["CN", ...(hour < 6 ? (["US"] as const) : []), ...(hour % 3 === 0 ? (["DE"] as const) : [])];
}

type Country = "CN" | "US" | "DE";

/** Returns a mobile number of the country, different for each `index` below ten million. */
function numberOf(country: Country, index: number): string {
  const digits = String(index).padStart(7, "0");
  switch (country) {
    case "CN":
      return `+861381${digits}`;
    case "US":
      return `+1415${digits.startsWith("0") ? 2 : 3}${digits.slice(1)}`;
    case "DE":
      return `+491511${digits}`;
  }
}

/** Numbers that must get nothing: premium, toll-free, fixed, of another country, blocked. */
const WORTHLESS = ["+19005551234", "+18005551234", "+861062552000", "+447911123456", "+8617012345678"];

/** Chooses numbers and addresses. One number in five was used before. */
function openAttacker(random: () => number) {
  const used: string[] = [];
  const fresh = (): string => {
    const chance = random();
    if (chance < 0.15) return WORTHLESS[Math.floor(random() * WORTHLESS.length)] ?? "";
    const number = numberOf(chance < 0.55 ? "CN" : chance < 0.8 ? "US" : "DE", used.length);
    used.push(number);
    return number;
  };
  const byte = () => Math.floor(random() * 256);
  return {
    number: (): string => (random() < 0.2 ? (used[Math.floor(random() * used.length)] ?? fresh()) : fresh()),
    address: (): string =>
      random() < 0.5
        ? `198.51.${byte()}.${byte()}`
        : `2001:db8:${byte().toString(16)}:${byte().toString(16)}::1`,
  };
}

/** A carrier that counts what it sent. It refuses or loses some messages of the attacked apps. */
function openCarrier({ clock }: Pick<TestHost, "clock">, attacked: ReadonlySet<string>) {
  const counts = new Map<string, number>();
  const codes = new Map<string, string>();
  const lastAt = new Map<string, number>();
  const pauses: number[] = [];
  const numbers = new Set<string>();
  const hourNow = () => Math.floor((clock.now() + OFFSET) / HOUR);
  const add = (key: string) => void counts.set(key, (counts.get(key) ?? 0) + 1);
  const sender = {
    send: ({ appId, mobileNo, authCode }: SmsMessage) => {
      const phone = `${appId} ${mobileNo}`;
      pauses.push(clock.now() - (lastAt.get(phone) ?? -Infinity));
      lastAt.set(phone, clock.now());
      const last = attacked.has(appId) ? mobileNo.slice(-1) : "";
      if (last === "3") return errAsync({ name: "sms.rejected", detail: "scripted" } as const);
      const hour = hourNow();
      const day = Math.floor(hour / 24);
      const country = mobileNo.startsWith("+86") ? "CN" : mobileNo.startsWith("+49") ? "DE" : "US";
      numbers.add(mobileNo);
      for (const key of [
        `host/hour ${hour}`,
        `host/day ${day}`,
        `app/hour ${hour} ${appId}`,
        `app/day ${day} ${appId}`,
        `country/day ${day} ${country}`,
        `phone/day ${day} ${phone}`,
      ])
        add(key);
      codes.set(phone, authCode);
      return last === "7"
        ? errAsync({ name: "sms.unknown", detail: "scripted" } as const)
        : okAsync(undefined);
    },
  };
  const most = (kind: string) => {
    const found = [...counts].filter(([key]) => key.startsWith(kind)).map(([, count]) => count);
    return found.length === 0 ? 0 : Math.max(...found);
  };
  return {
    sender,
    codeOf: (appId: string, mobileNo: string) => codes.get(`${appId} ${mobileNo}`) ?? "",
    sentThisHour: () => counts.get(`host/hour ${hourNow()}`) ?? 0,
    /** Expects that every limit holds, and that the attack has reached the limits of an hour. */
    expectWithin: (policy: Policy, attackedApp: string, alarms: readonly Alarm[]) => {
      const limits: readonly (readonly [string, number])[] = [
        ["app/hour", policy.smsPerHourPerApp],
        ["app/day", policy.smsPerDayPerApp],
        ["host/hour", policy.smsPerHourPerHost],
        ["host/day", policy.smsPerDayPerHost],
        ["phone/day", policy.smsPerDay],
      ];
      for (const [kind, limit] of limits) expect(most(kind), kind).toBeLessThanOrEqual(limit);
      for (const [key, count] of counts) {
        const [kind = "", , subject = ""] = key.split(" ");
        if (kind !== "country/day") continue;
        expect(count, key).toBeLessThanOrEqual(policy.smsCountries[subject] ?? 0);
      }
      for (const worthless of WORTHLESS) expect(numbers).not.toContain(worthless);
      expect(pauses.every((pause) => pause >= policy.smsCooldown)).toBe(true);
      // The attack was strong enough: it reached the limit of an attacked app.
      expect(most("app/hour")).toBe(policy.smsPerHourPerApp);
      expect(most("host/hour")).toBeGreaterThanOrEqual(0.8 * policy.smsPerHourPerHost);
      expect(most("country/day")).toBeGreaterThanOrEqual(0.8 * (policy.smsCountries["DE"] ?? 0));
      const scopes = new Set(alarms.map(({ scope }) => scope));
      expect([...scopes].sort()).toEqual(["sms-app", "sms-country", "sms-host"]);
      expect(alarms.some(({ appId }) => appId === attackedApp)).toBe(true);
    },
  };
}

/** Returns numbers from 0 to 1 that look random and are the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

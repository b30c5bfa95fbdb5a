import { X509Certificate } from "node:crypto";
import type { ServerResponse } from "node:http";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import type { RawNotification, ServiceEvent, Wallet, WalletAccount, WalletFailure } from "@tillkit/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { alipayWallet } from "../alipay-wallet.js";
import { certificateSn } from "./certificate-sn.js";
import { openAlipayServer } from "../testing/alipay-server.js";
import { newPair, type TestPair, testPairs } from "../testing/keys.js";
import { makeCertificate } from "../testing/make-certificate.js";
import { alipayAccount, APP_ID, SELLER_ID } from "../testing/alipay-harness.js";
import { isSignedRequest, notificationBody, signature } from "../testing/wire.js";

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 21);
const YEAR = 365 * 24 * 60 * MINUTE;
const QUERY = "alipay.trade.query";
const DOWNLOAD = "alipay.open.app.alipaycert.download";
const LIMITS = { deadline: 60_000 };

const [rootPair, authorityPair, appPair, oldPair, nextPair, stranger] = testPairs;
const root = makeCertificate({ name: "root", holder: rootPair, signedBy: rootPair, authority: true });
const authority = makeCertificate({
  name: "class 2",
  holder: authorityPair,
  issuer: root,
  signedBy: rootPair,
});
const issued = (name: string, holder: TestPair, more: object = {}) =>
  makeCertificate({ name, holder, issuer: authority, signedBy: authorityPair, ...more });
const app = issued("app", appPair, { organization: "Test Merchant" });
const old = issued("alipay", oldPair, { to: NOW + YEAR });
const next = issued("alipay", nextPair, { to: NOW + 5 * YEAR });

const account = alipayAccount({
  appPrivateKey: appPair.pkcs8,
  appCertificate: app + authority,
  alipayCertificate: old + authority,
  alipayRootCertificate: root,
});

/** The key that signs a message, and the certificate that the message names. */
interface Signer {
  readonly pair: TestPair;
  readonly pem: string;
}
const [OLD, NEXT]: readonly [Signer, Signer] = [
  { pair: oldPair, pem: old },
  { pair: nextPair, pem: next },
];
const snOf = (pem: string) => certificateSn(new X509Certificate(pem));

/** Returns a response in Alipay's form, signed if there is a signer. */
function answer(method: string, node: object, signer: Signer | undefined): string {
  const text = JSON.stringify(node);
  const proof =
    signer === undefined
      ? ""
      : `,"alipay_cert_sn":"${snOf(signer.pem)}","sign":"${signature(text, signer.pair.privatePem)}"`;
  return `{"${method.replaceAll(".", "_")}_response":${text}${proof}}`;
}

/** Returns a download response: a certificate with its chain, in base64. */
const handedOut = (pem: string) => ({
  code: "10000",
  msg: "Success",
  alipay_cert_content: Buffer.from(pem).toString("base64"),
});

interface Rotation {
  readonly wallet: Wallet;
  /** The certificates that the wallet reported as new, in order. */
  readonly trusted: readonly ServiceEvent[];
  /** Returns the methods that were called. */
  readonly called: () => readonly string[];
  readonly downloads: () => number;
  /** Sets the signer of later responses. */
  readonly sign: (signer: Signer) => void;
  /** Sets the response to later downloads. */
  readonly handOut: (body: string | ((response: ServerResponse) => void)) => void;
  readonly advance: (ms: number) => void;
}

async function openRotation(): Promise<Rotation> {
  const server = await openAlipayServer({
    appId: APP_ID,
    sellerId: SELLER_ID,
    appPublicKey: appPair.publicPem,
    walletPrivateKey: oldPair.privatePem,
  });
  onTestFinished(() => server.close());
  let now = NOW;
  const sign = (signer: Signer) => {
    const node = { code: "40004", msg: "Business Failed", sub_code: "ACQ.TRADE_NOT_EXIST" };
    server.misbehave(QUERY, (response) => response.end(answer(QUERY, node, signer)));
  };
  const handOut: Rotation["handOut"] = (body) => {
    server.misbehave(DOWNLOAD, typeof body === "string" ? (response) => response.end(body) : body);
  };
  sign(OLD);
  handOut("{}");
  const trusted: ServiceEvent[] = [];
  const called = () => server.requests.map((form) => form.get("method") ?? "");
  return {
    wallet: alipayWallet({
      clock: { now: () => now },
      gateways: { DEV: server.gateway, PROD: server.gateway },
      // Longer than any test, so that only a call's own deadline can end a download that hangs.
      certificateDeadline: 3_600_000,
      observer: {
        onEvent: (event) => {
          if (event.type === "wallet.key-trusted") trusted.push(event);
        },
      },
    }),
    trusted,
    called: () => {
      expect(server.requests.every((form) => isSignedRequest(form, appPair.publicPem))).toBe(true);
      return called();
    },
    downloads: () => called().filter((method) => method === DOWNLOAD).length,
    sign,
    handOut,
    advance: (ms) => {
      now += ms;
    },
  };
}

const query = ({ wallet }: Rotation, of: WalletAccount = account, limits = LIMITS) =>
  wallet.query(of, "O-1", limits);
const read = ({ wallet }: Rotation, notification: RawNotification) =>
  wallet.readNotification(account, notification, { now: NOW, skew: 5 * MINUTE });
const unverified = { name: "wallet.unknown", cause: "unverified" };

/** Returns a genuine notification with the given changes. */
function notification(signer: Signer, changes: Readonly<Record<string, string>> = {}): RawNotification {
  const facts = {
    app_id: APP_ID,
    seller_id: SELLER_ID,
    out_trade_no: "O-1",
    trade_no: "2026",
    trade_status: "TRADE_SUCCESS",
    total_amount: "6.00",
    alipay_cert_sn: snOf(signer.pem),
    ...changes,
  };
  const body = new TextEncoder().encode(notificationBody(facts, signer.pair.privatePem));
  return { headers: new Headers(), body };
}

describe("a response signed by a new certificate", () => {
  it("is accepted after one download, and later responses need no download", async () => {
    const rotation = await openRotation();
    expect(await expectOk(query(rotation))).toBeUndefined();
    rotation.sign(NEXT);
    rotation.handOut(answer(DOWNLOAD, handedOut(next + authority), NEXT));
    for (let times = 0; times < 3; times += 1) expect(await expectOk(query(rotation))).toBeUndefined();
    expect(rotation.called()).toEqual([QUERY, QUERY, DOWNLOAD, QUERY, QUERY]);
  });

  it("reports the certificate once, also if a notification and a response name it at the same time", async () => {
    const rotation = await openRotation();
    await expectOk(query(rotation));
    expect(rotation.trusted).toEqual([]);
    rotation.sign(NEXT);
    const waiting: ServerResponse[] = [];
    rotation.handOut((response) => {
      waiting.push(response);
      if (waiting.length < 2) return;
      for (const one of waiting) one.end(answer(DOWNLOAD, handedOut(next), NEXT));
    });
    const both = await Promise.all([query(rotation), read(rotation, notification(NEXT))]);
    expect(both.every((one) => one.isOk())).toBe(true);
    expect(rotation.downloads()).toBe(2);
    expect(rotation.trusted).toEqual([
      {
        type: "wallet.key-trusted",
        payChannel: "WALLET_B",
        accountId: SELLER_ID,
        serialNo: snOf(next),
        validFrom: Date.parse(new X509Certificate(next).validFrom),
        expiresAt: NOW + 5 * YEAR,
      },
    ]);
  });

  it.each([
    ["is signed by the old one", answer(DOWNLOAD, handedOut(next + authority), OLD)],
    [
      "is not signed, because the chain is sufficient",
      answer(DOWNLOAD, handedOut(next + authority), undefined),
    ],
    [
      "contains only the certificate, because its authority is in the credentials",
      answer(DOWNLOAD, handedOut(next), NEXT),
    ],
  ])("is accepted if the download %s", async (_how, body) => {
    const rotation = await openRotation();
    rotation.sign(NEXT);
    rotation.handOut(body);
    await expectOk(query(rotation));
  });

  it("causes one download for many concurrent calls", async () => {
    const rotation = await openRotation();
    rotation.sign(NEXT);
    rotation.handOut(answer(DOWNLOAD, handedOut(next), NEXT));
    // More calls than the concurrency limit. The download does not count towards the limit.
    const calls = await Promise.all(Array.from({ length: 40 }, () => query(rotation)));
    expect(calls.every((call) => call.isOk())).toBe(true);
    expect(rotation.downloads()).toBe(1);
  });

  it("causes no download in key mode", async () => {
    const rotation = await openRotation();
    rotation.sign({ ...NEXT, pair: stranger });
    const keyed = alipayAccount({ appPrivateKey: appPair.pkcs8, alipayPublicKey: oldPair.spki });
    expect(await expectFailure(query(rotation, keyed))).toMatchObject(unverified);
    expect(rotation.downloads()).toBe(0);
    expect(rotation.trusted).toEqual([]);
  });

  it("does not make a call longer than its deadline", async () => {
    const rotation = await openRotation();
    rotation.sign(NEXT);
    rotation.handOut(() => undefined);
    const failsWithin = (deadline: number) => expectFailure(query(rotation, account, { deadline }));
    const isTimeout = (failure: WalletFailure) => "cause" in failure && failure.cause === "timeout";
    let failure = await failsWithin(100);
    // On a busy machine, the deadline may pass before the download begins.
    for (let deadline = 200; isTimeout(failure) && deadline < MINUTE; deadline *= 2)
      failure = await failsWithin(deadline);
    expect(failure).toMatchObject(unverified);
    await expect.poll(() => rotation.downloads()).toBe(1);
  });
});

describe("a certificate that is not Alipay's", () => {
  const forgedRoot = makeCertificate({ name: "root", holder: stranger, signedBy: stranger, authority: true });
  const forgedAuthority = makeCertificate({
    name: "class 2",
    holder: stranger,
    issuer: forgedRoot,
    signedBy: stranger,
    authority: true,
  });
  const short = newPair(1024);
  const by = (pem: string, pair = stranger): Signer => ({ pem, pair });
  const forgeries: readonly (readonly [string, Signer, string])[] = [
    ["is self-signed", by(makeCertificate({ name: "alipay", holder: stranger, signedBy: stranger })), ""],
    [
      "belongs to another root of the same name",
      by(
        makeCertificate({
          name: "alipay",
          holder: stranger,
          issuer: forgedAuthority,
          signedBy: stranger,
        }),
      ),
      forgedAuthority + forgedRoot,
    ],
    [
      "was issued by a merchant",
      by(makeCertificate({ name: "alipay", holder: stranger, issuer: app, signedBy: appPair })),
      app + authority,
    ],
    ["is a merchant's", by(issued("merchant", stranger, { organization: "Another Merchant" })), authority],
    ["is the app's own key", by(issued("alipay", appPair), appPair), authority],
    ["has ended", by(issued("alipay", stranger, { to: NOW - MINUTE })), authority],
    ["is not valid yet", by(issued("alipay", stranger, { from: NOW + MINUTE })), authority],
    ["has a key that is too short", by(issued("alipay", short), short), authority],
  ];

  it.each(forgeries)("is rejected: it %s", async (_how, signer, chain) => {
    const rotation = await openRotation();
    rotation.sign(signer);
    rotation.handOut(answer(DOWNLOAD, handedOut(signer.pem + chain), undefined));
    const failure = await expectFailure(query(rotation));
    expect(failure).toMatchObject(unverified);
    expect(failure.detail).toContain("could not be downloaded");
    expect(rotation.downloads()).toBe(1);
  });

  it("is rejected if neither it nor the configured certificate states an organisation", async () => {
    const nameless = { organization: "" };
    const pasted = { pem: issued("alipay", oldPair, nameless), pair: oldPair };
    const pastedAccount = alipayAccount({
      appPrivateKey: appPair.pkcs8,
      appCertificate: app + authority,
      alipayCertificate: pasted.pem + authority,
      alipayRootCertificate: root,
    });
    const rotation = await openRotation();
    rotation.sign(pasted);
    expect(await expectOk(query(rotation, pastedAccount))).toBeUndefined();
    const forged = { pem: issued("merchant", stranger, nameless), pair: stranger };
    rotation.sign(forged);
    rotation.handOut(answer(DOWNLOAD, handedOut(forged.pem + authority), undefined));
    expect(await expectFailure(query(rotation, pastedAccount))).toMatchObject(unverified);
    expect(rotation.downloads()).toBe(1);
  });

  it("is rejected if the download has another certificate number, is forged, or is a refusal", async () => {
    const wrong = { pem: old, pair: stranger };
    const bodies = [
      answer(DOWNLOAD, handedOut(issued("alipay", stranger)), undefined),
      answer(DOWNLOAD, handedOut(next), wrong),
      answer(DOWNLOAD, { ...handedOut(next), code: "40004" }, NEXT),
      answer(DOWNLOAD, handedOut("no certificate"), undefined),
      "{}",
      "",
    ];
    for (const body of bodies) {
      const rotation = await openRotation();
      rotation.sign(NEXT);
      rotation.handOut(body);
      expect(await expectFailure(query(rotation)), body).toMatchObject(unverified);
    }
  });

  it("is rejected if another certificate of Alipay is downloaded in its place", async () => {
    const rotation = await openRotation();
    rotation.sign({ pem: next, pair: stranger });
    rotation.handOut(answer(DOWNLOAD, handedOut(issued("alipay", stranger)), undefined));
    expect(await expectFailure(query(rotation))).toMatchObject(unverified);
  });

  it("is not trusted at the gateway of another environment", async () => {
    const rotation = await openRotation();
    rotation.sign(NEXT);
    rotation.handOut(answer(DOWNLOAD, handedOut(next), NEXT));
    await expectOk(query(rotation));
    rotation.handOut("{}");
    const other: WalletAccount = { ...account, appEnv: "PROD" };
    expect(await expectFailure(query(rotation, other))).toMatchObject(unverified);
    expect(rotation.downloads()).toBe(2);
  });

  it("is requested at most once a minute", async () => {
    const rotation = await openRotation();
    rotation.sign(NEXT);
    for (let times = 0; times < 5; times += 1) await expectFailure(query(rotation));
    expect(rotation.downloads()).toBe(1);
    rotation.advance(MINUTE);
    rotation.handOut(answer(DOWNLOAD, handedOut(next), NEXT));
    await expectOk(query(rotation));
    expect(rotation.downloads()).toBe(2);
  });
});

describe("a notification signed by a new certificate", () => {
  it("is accepted after one download", async () => {
    const rotation = await openRotation();
    rotation.handOut(answer(DOWNLOAD, handedOut(next), NEXT));
    for (let times = 0; times < 3; times += 1)
      expect(await expectOk(read(rotation, notification(NEXT)))).toMatchObject({
        kind: "payment",
        order: { state: "PAID", outTradeNo: "O-1", amount: 600 },
      });
    expect(rotation.called()).toEqual([DOWNLOAD]);
  });

  it("causes no request to Alipay if it belongs to another app, or states no certificate", async () => {
    const rotation = await openRotation();
    for (const changes of [
      { app_id: "2014000000000000" },
      { seller_id: "2088000000000000" },
      { alipay_cert_sn: "" },
      { alipay_cert_sn: "../secret" },
    ])
      expect(await expectFailure(read(rotation, notification(NEXT, changes)))).toMatchObject({
        reason: "unverified",
      });
    expect(rotation.called()).toEqual([]);
  });

  it("causes at most one request a minute to Alipay, for any certificate number", async () => {
    const rotation = await openRotation();
    for (let times = 0; times < 20; times += 1) {
      const alipay_cert_sn = String(times).padStart(32, "0");
      const forged = notification({ pem: next, pair: stranger }, { alipay_cert_sn });
      expect(await expectFailure(read(rotation, forged))).toMatchObject({ reason: "unverified" });
    }
    expect(rotation.downloads()).toBe(1);
  });

  it("does not wait for the download of another notification", async () => {
    const rotation = await openRotation();
    let finish: () => void = () => undefined;
    const pending = new Promise<void>((resolve) => {
      rotation.handOut((response) => {
        finish = () => response.end(answer(DOWNLOAD, handedOut(next), NEXT));
        resolve();
      });
    });
    const first = read(rotation, notification(NEXT));
    await pending;
    expect(await expectFailure(read(rotation, notification(NEXT)))).toMatchObject({ reason: "unverified" });
    finish();
    await expectOk(first);
  });

  it("that is forged does not prevent responses from being accepted", async () => {
    const rotation = await openRotation();
    const forged = notification({ pem: next, pair: stranger }, { alipay_cert_sn: "f".repeat(32) });
    await expectFailure(read(rotation, forged));
    rotation.sign(NEXT);
    rotation.handOut(answer(DOWNLOAD, handedOut(next), NEXT));
    await expectOk(query(rotation));
    // The genuine notification is accepted after that.
    await expectOk(read(rotation, notification(NEXT)));
  });

  it("is rejected if an unknown key signed it, although it names the new certificate, which is known", async () => {
    const rotation = await openRotation();
    rotation.handOut(answer(DOWNLOAD, handedOut(next), NEXT));
    await expectOk(read(rotation, notification(NEXT)));
    const forged = notification({ pem: next, pair: stranger });
    expect(await expectFailure(read(rotation, forged))).toMatchObject({ reason: "unverified" });
  });
});

describe("credentialExpiries", () => {
  const end = (name: string, expiresAt: number) => ({ name, expiresAt });
  const constant = [
    end("appCertificate", Date.UTC(2049, 0)),
    end("alipayRootCertificate", Date.UTC(2049, 0)),
  ];

  it("returns the expiry of the app's certificate, of Alipay's latest one, even if downloaded, and of its root", async () => {
    const rotation = await openRotation();
    const expiries = () => new Set(rotation.wallet.credentialExpiries(account));
    expect(expiries()).toEqual(new Set([...constant, end("alipayCertificate", NOW + YEAR)]));
    rotation.sign(NEXT);
    rotation.handOut(answer(DOWNLOAD, handedOut(next), NEXT));
    await expectOk(query(rotation));
    expect(expiries()).toEqual(new Set([...constant, end("alipayCertificate", NOW + 5 * YEAR)]));
  });

  it("returns nothing in key mode, because bare keys do not expire", async () => {
    const { wallet } = await openRotation();
    const keyed = alipayAccount({ appPrivateKey: appPair.pkcs8, alipayPublicKey: oldPair.spki });
    expect(wallet.credentialExpiries(keyed)).toEqual([]);
  });
});

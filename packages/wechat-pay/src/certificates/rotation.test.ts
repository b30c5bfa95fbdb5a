import { expectFailure, expectOk } from "@tillkit/contract-tests";
import type { WalletAccount, WalletFailure } from "@tillkit/core";
import { describe, expect, it, vi } from "vitest";
import * as keys from "../testing/keys.js";
import { refundRequest } from "../testing/requests.js";
import {
  CERTIFICATES,
  certificatesBody,
  openRotation,
  type PlatformPair,
  type Rotation,
  type Signer,
} from "../testing/rotation.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LIMITS = { deadline: 60_000 };
const [old, next, later] = certificatesInOrder();
const stranger = (serial: string): Signer => ({ serial, key: keys.stranger.privateKey });

/** The merchant configured only the old certificate, and no public key of WeChat Pay. */
const account = withPlatformKeys({ [old.serial]: old.pem });

function withPlatformKeys(texts: Readonly<Record<string, string>>): WalletAccount {
  const credentials = { ...keys.credentials, platformKeys: JSON.stringify(texts) };
  return { ...keys.account, credentials };
}

function certificatesInOrder(): readonly [PlatformPair, PlatformPair, PlatformPair] {
  const [first, second, third] = CERTIFICATES;
  if (first === undefined || second === undefined || third === undefined)
    throw new Error("Three certificates are required.");
  return [first, second, third];
}

const query = ({ wallet }: Rotation, of = account, limits = LIMITS) => wallet.query(of, "O-1", limits);
const read = ({ wallet, now }: Rotation, notification: ReturnType<Rotation["notification"]>, of = account) =>
  wallet.readNotification(of, notification, { now: now(), skew: 5 * MINUTE });
const unverified = { name: "wallet.unknown", cause: "unverified" };

describe("a response signed by a new certificate", () => {
  it("is accepted after one download, and later responses need no download", async () => {
    const rotation = await openRotation();
    await expectOk(query(rotation));
    expect(rotation.downloads()).toBe(0);
    rotation.sign(next);
    rotation.handOut(certificatesBody([old, next]), next);
    for (let times = 0; times < 3; times += 1) expect(await expectOk(query(rotation))).toBeUndefined();
    expect(rotation.requests).toHaveLength(5);
    expect(rotation.downloads()).toBe(1);
  });

  it("causes one download for many concurrent calls", async () => {
    const rotation = await openRotation();
    rotation.sign(next);
    rotation.handOut(certificatesBody([next]), next);
    // More calls than the concurrency limit. The download does not count towards the limit.
    const calls = await Promise.all(Array.from({ length: 100 }, () => query(rotation)));
    expect(calls.every((call) => call.isOk())).toBe(true);
    expect(rotation.downloads()).toBe(1);
  });

  it("is accepted if the old certificate signs the response that contains the new one", async () => {
    const rotation = await openRotation();
    rotation.sign(next);
    rotation.handOut(certificatesBody([next]), old);
    await expectOk(query(rotation));
  });

  it("is accepted if the download also contains an unreadable entry", async () => {
    const rotation = await openRotation();
    const foreign = certificatesBody([later], "f".repeat(32)).slice('{"data":['.length);
    rotation.sign(next);
    rotation.handOut(certificatesBody([next]).replace("]}", `,${foreign}`), next);
    await expectOk(query(rotation));
    rotation.sign(later);
    expect(await expectFailure(query(rotation))).toMatchObject(unverified);
  });

  it("is accepted after any number of rotations", async () => {
    const rotation = await openRotation();
    for (const [place, certificate] of [next, later].entries()) {
      rotation.advance(MINUTE);
      rotation.sign(certificate);
      rotation.handOut(certificatesBody([certificate]), certificate);
      await expectOk(query(rotation));
      expect(rotation.downloads()).toBe(place + 1);
    }
  });

  it("is not trusted for other credentials, or at the gateway of another environment", async () => {
    const rotation = await openRotation();
    rotation.sign(next);
    rotation.handOut(certificatesBody([next]), next);
    await expectOk(query(rotation));
    rotation.handOut("{}", next);
    const apiV3Key = "f".repeat(32);
    const others: readonly WalletAccount[] = [
      { ...account, credentials: { ...account.credentials, apiV3Key } },
      { ...account, appEnv: "PROD" },
    ];
    for (const other of others) expect(await expectFailure(query(rotation, other))).toMatchObject(unverified);
    expect(rotation.downloads()).toBe(3);
  });
});

describe("a certificate that is new to a merchant", () => {
  const trusted = ({ serial, expiresAt }: PlatformPair) => ({
    type: "wallet.key-trusted",
    payChannel: "WALLET_A",
    accountId: account.accountId,
    serialNo: serial,
    validFrom: Date.UTC(2020, 0),
    expiresAt,
  });

  it("is reported once, whereas a configured certificate is not reported", async () => {
    const rotation = await openRotation();
    await expectOk(query(rotation));
    expect(rotation.trusted).toEqual([]);
    rotation.sign(next);
    rotation.handOut(certificatesBody([old, next]), next);
    await expectOk(query(rotation));
    expect(rotation.trusted).toEqual([trusted(next)]);
    rotation.advance(11 * HOUR);
    rotation.handOut(certificatesBody([old, next, later]), next);
    await expectOk(query(rotation));
    await vi.waitFor(() => expect(rotation.downloads()).toBe(2));
    await vi.waitFor(() => expect(rotation.trusted).toEqual([trusted(next), trusted(later)]));
  });

  it("is not reported while it cannot be verified, or after its end", async () => {
    const rotation = await openRotation();
    rotation.sign(next);
    rotation.handOut(certificatesBody([next], "f".repeat(32)), next);
    await expectFailure(query(rotation));
    rotation.advance(MINUTE);
    rotation.handOut(certificatesBody([{ ...next, expireTime: "2026-01-01T00:00:00+08:00" }]), next);
    await expectFailure(query(rotation));
    expect(rotation.downloads()).toBe(2);
    expect(rotation.trusted).toEqual([]);
  });
});

describe("the card of a payout", () => {
  const abnormal = { ...refundRequest, walletRefundNo: "5030" };
  const payout = { to: "customer", bankType: "CMB_DEBIT", bankAccount: "6225", realName: "李雷" } as const;
  const keyOfPayout = async (rotation: Rotation) => {
    await rotation.wallet.applyAbnormalRefund(account, abnormal, payout, LIMITS);
    return rotation.namedKeys.at(-1);
  };

  it("is encrypted with the downloaded certificate that expires last", async () => {
    const rotation = await openRotation();
    expect(await keyOfPayout(rotation)).toBe(old.serial);
    rotation.sign(next);
    const listed = [next, later, old].map(({ serial, pem }) => ({ serial, pem }));
    rotation.handOut(certificatesBody(listed), next);
    await expectOk(query(rotation));
    expect(await keyOfPayout(rotation)).toBe(later.serial);
  });
});

describe("an untrusted download", () => {
  const forged: readonly (readonly [string, string, Signer | undefined])[] = [
    ["is not signed", certificatesBody([next]), undefined],
    [
      "is signed by an unknown key with the old serial number",
      certificatesBody([next]),
      stranger(old.serial),
    ],
    [
      "is signed by an unknown key with the new serial number",
      certificatesBody([next]),
      stranger(next.serial),
    ],
    ["is signed by a certificate that it does not contain", certificatesBody([next]), later],
    ["is encrypted with another key", certificatesBody([next], "f".repeat(32)), next],
    [
      "states another serial number of the certificate",
      certificatesBody([{ ...next, serial: later.serial }]),
      old,
    ],
    ["is empty", certificatesBody([]), old],
    ["contains no certificate", certificatesBody([{ ...next, pem: "no certificate" }]), old],
    [
      "contains a certificate that is no longer valid",
      certificatesBody([{ ...next, expireTime: "2026-11-20T00:00:00+08:00" }]),
      old,
    ],
    ["has another format", '{"data":{}}', old],
  ];

  it.each(forged)("leaves the outcome unknown: it %s", async (_how, body, signer) => {
    const rotation = await openRotation();
    rotation.sign(next);
    rotation.handOut(body, signer);
    const failure = await expectFailure(query(rotation));
    expect(failure).toMatchObject(unverified);
    expect(failure.detail).toContain("could not be downloaded");
    expect(rotation.downloads()).toBe(1);
  });

  it("does not trust a certificate that is listed with another serial number", async () => {
    const rotation = await openRotation();
    rotation.sign({ serial: later.serial, key: next.key });
    rotation.handOut(certificatesBody([{ ...next, serial: later.serial }]), old);
    expect(await expectFailure(query(rotation))).toMatchObject(unverified);
  });

  it("is repeated at most once a minute, and recovers", async () => {
    const rotation = await openRotation();
    rotation.sign(next);
    rotation.handOut("{}", undefined);
    for (let times = 0; times < 5; times += 1) await expectFailure(query(rotation));
    expect(rotation.downloads()).toBe(1);
    rotation.advance(MINUTE - 1);
    await expectFailure(query(rotation));
    expect(rotation.downloads()).toBe(1);
    rotation.handOut(certificatesBody([next]), next);
    rotation.advance(1);
    await expectOk(query(rotation));
    expect(rotation.downloads()).toBe(2);
  });

  it("does not make a call longer than its deadline", async () => {
    const rotation = await openRotation();
    rotation.sign(next);
    rotation.handOut("", "hang");
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

describe("a public key of WeChat Pay that the account does not contain", () => {
  it("is not requested: it cannot be downloaded", async () => {
    const rotation = await openRotation();
    rotation.sign({ serial: "PUB_KEY_ID_0116000001092024111800351000000002", key: next.key });
    expect(await expectFailure(query(rotation))).toMatchObject(unverified);
    expect(rotation.downloads()).toBe(0);
  });
});

describe("a notification signed by a new certificate", () => {
  it("is accepted after one download", async () => {
    const rotation = await openRotation();
    rotation.handOut(certificatesBody([next]), next);
    for (let times = 0; times < 3; times += 1)
      expect(await expectOk(read(rotation, rotation.notification(next)))).toMatchObject({
        kind: "payment",
        order: { state: "PAID", outTradeNo: "O-1" },
      });
    expect(rotation.requests).toEqual(["/v3/certificates"]);
  });

  it("is rejected while the certificate cannot be verified, with one call to WeChat Pay per minute", async () => {
    const rotation = await openRotation();
    rotation.handOut(certificatesBody([next], "f".repeat(32)), next);
    for (let times = 0; times < 5; times += 1)
      expect(await expectFailure(read(rotation, rotation.notification(next)))).toMatchObject({
        reason: "unverified",
      });
    expect(rotation.downloads()).toBe(1);
  });

  it("causes no request to WeChat Pay if it is not encrypted with the APIv3 key", async () => {
    const rotation = await openRotation();
    for (const serial of [next.serial, later.serial, "7777777777"]) {
      const forged = rotation.notification(stranger(serial), "f".repeat(32));
      expect(await expectFailure(read(rotation, forged))).toMatchObject({ reason: "unverified" });
    }
    expect(rotation.requests).toEqual([]);
  });

  it("is rejected if an unknown key signed it, although the certificate of its serial number is known", async () => {
    const rotation = await openRotation();
    rotation.handOut(certificatesBody([next]), next);
    await expectOk(read(rotation, rotation.notification(next)));
    const forged = rotation.notification(stranger(next.serial));
    expect(await expectFailure(read(rotation, forged))).toMatchObject({ reason: "unverified" });
  });
});

describe("the certificates", () => {
  it("are downloaded during an ordinary call twice a day, without delaying it", async () => {
    const rotation = await openRotation();
    rotation.handOut("", "hang");
    await expectOk(query(rotation));
    rotation.advance(11 * HOUR - 1);
    await expectOk(query(rotation));
    expect(rotation.downloads()).toBe(0);
    rotation.advance(1);
    for (let times = 0; times < 3; times += 1) await expectOk(query(rotation));
    await vi.waitFor(() => expect(rotation.downloads()).toBe(1));
  });

  it("are not downloaded for a merchant with only a public key", async () => {
    const rotation = await openRotation();
    const modern = withPlatformKeys({ [keys.MODERN_ID]: keys.pemOf(keys.modern.publicKey) });
    rotation.sign({ serial: keys.MODERN_ID, key: keys.modern.privateKey });
    await expectOk(query(rotation, modern));
    rotation.advance(24 * HOUR);
    for (let times = 0; times < 3; times += 1) await expectOk(query(rotation, modern));
    expect(rotation.downloads()).toBe(0);
  });
});

describe("credentialExpiries", () => {
  const merchantEnd = { name: "merchantCertificate", expiresAt: Date.UTC(2049, 0, 1) };

  it("returns the expiry of the merchant's certificate and the latest one of WeChat Pay's, even if downloaded", async () => {
    const rotation = await openRotation();
    const expiries = () => rotation.wallet.credentialExpiries(account);
    expect(expiries()).toEqual([merchantEnd, { name: "platformKeys", expiresAt: old.expiresAt }]);
    rotation.sign(next);
    rotation.handOut(certificatesBody([old, next]), next);
    await expectOk(query(rotation));
    expect(expiries()).toEqual([merchantEnd, { name: "platformKeys", expiresAt: next.expiresAt }]);
  });

  it("returns the expiry that WeChat Pay states for a certificate that it ends early", async () => {
    const rotation = await openRotation();
    const bare = withPlatformKeys({ [old.serial]: keys.pemOf(keys.platform.publicKey) });
    expect(rotation.wallet.credentialExpiries(bare)).toEqual([merchantEnd]);
    rotation.sign(next);
    rotation.handOut(certificatesBody([{ ...next, expireTime: "2026-12-01T00:00:00+08:00" }]), next);
    await expectOk(query(rotation, bare));
    expect(rotation.wallet.credentialExpiries(bare)).toEqual([
      merchantEnd,
      { name: "platformKeys", expiresAt: Date.UTC(2026, 10, 30, 16) },
    ]);
  });

  it("returns nothing for keys that never expire", async () => {
    const { wallet } = await openRotation();
    const modern = withPlatformKeys({ [keys.MODERN_ID]: keys.pemOf(keys.modern.publicKey) });
    const { merchantCertificate: _certificate, ...numbered } = modern.credentials;
    expect(wallet.credentialExpiries({ ...modern, credentials: numbered })).toEqual([]);
  });
});

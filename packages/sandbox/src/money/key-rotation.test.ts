import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { alipayWallet } from "@tillkit/alipay";
import {
  checkCredentialExpiry,
  configurePayTool,
  orThrow,
  type PayChannel,
  type Ports,
  receiveNotification,
  type Wallet,
} from "@tillkit/core";
import { systemRandom } from "@tillkit/runtime";
import { otherWalletKeys } from "@tillkit/test-keys";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { certificatePem, serialNo } from "../shared/certificate.js";
import { listening } from "../testing/listening.js";
import { forgeWalletANotification } from "../testing/notifications.js";
import { postControl } from "../testing/call-control.js";
import {
  DAY,
  storedOrder,
  MINUTE,
  openFixture,
  order,
  advanceInSteps,
  read,
  refund,
  SECOND,
  type TestFixture,
} from "../testing/fixture.js";
import { seal } from "../wechat-pay/sign.js";

const rotated = z.object({ wallet: z.enum(["A", "B"]), certificate: z.string(), expiresAt: z.string() });

/** Returns the credentials of a pay tool that trusts the wallet's certificates. */
function certificateMode({ sandbox }: TestFixture, payChannel: PayChannel): Readonly<Record<string, string>> {
  const { walletA, walletB } = sandbox.merchant;
  if (payChannel === "WALLET_A") {
    const platformKeys = JSON.stringify({ [walletA.walletSerialNo]: walletA.walletCertificate });
    return { ...sandbox.payTools.WALLET_A.credentials, platformKeys };
  }
  return {
    appPrivateKey: walletB.appPrivateKey,
    appCertificate: walletB.appCertificate,
    alipayCertificate: walletB.walletCertificate,
    alipayRootCertificate: walletB.rootCertificate,
  };
}

async function useCertificates(fixture: TestFixture, payChannel: PayChannel): Promise<void> {
  const tool = { ...fixture.sandbox.payTools[payChannel], credentials: certificateMode(fixture, payChannel) };
  const { problems } = await expectOk(configurePayTool(fixture.ports, fixture.appId, tool));
  expect(problems).toEqual([]);
}

async function rotate({ sandbox }: TestFixture, payChannel: PayChannel, more: object = {}) {
  const wallet = payChannel === "WALLET_A" ? "A" : "B";
  const reply = await postControl(sandbox, "/rotate-keys", { wallet, ...more });
  expect(reply.status).toBe(200);
  return rotated.parse(JSON.parse(reply.body));
}

/** Runs an order through its whole life: creation, payment, notification, query and refund. */
async function livesOn(fixture: TestFixture, payChannel: PayChannel, bizNo: string): Promise<void> {
  await expectOk(order(fixture, bizNo, { payChannel, paySource: "NATIVE" }));
  const { id } = await storedOrder(fixture, bizNo);
  const paid = await fixture.sandbox.simulatorControls.pay(id);
  // The service accepted the notification, even the first one under the new certificate.
  expect(orThrow(paid)).toMatchObject({ state: "PAID", notified: true });
  expect(await storedOrder(fixture, bizNo)).toMatchObject({ paymentStatus: "PAID" });
  expect(await expectOk(read(fixture.ports, fixture.appId, bizNo))).toMatchObject({ paymentStatus: "PAID" });
  await expectOk(refund(fixture, bizNo, `refund-${bizNo}`));
  await advanceInSteps(fixture, 2 * SECOND, MINUTE);
  expect(await storedOrder(fixture, bizNo)).toMatchObject({ paymentStatus: "REFUND", refundedAmount: 600 });
}

const alarms = (fixture: TestFixture) =>
  fixture.serviceEvents.filter(({ type }) => type === "notification.refused" || type === "order.alarm");

describe("after a wallet has replaced its certificate", () => {
  it.each([
    ["WALLET_A", "by its public key and its certificate", false],
    ["WALLET_A", "by its certificate alone", true],
    ["WALLET_B", "by its certificate", true],
  ] as const)(
    "%s, trusted %s: payments continue without a configuration change",
    async (payChannel, _how, certified) => {
      const fixture = await openFixture();
      if (certified) await useCertificates(fixture, payChannel);
      await livesOn(fixture, payChannel, "before");
      for (const bizNo of ["first", "second"]) {
        await rotate(fixture, payChannel);
        await livesOn(fixture, payChannel, bizNo);
        await fixture.advance(MINUTE);
      }
      expect(alarms(fixture)).toEqual([]);
      expect(fixture.sandbox.simulatorControls.balance(payChannel)).toBe(0);
    },
  );

  it.each(["WALLET_A", "WALLET_B"] as const)("%s: earlier orders are paid", async (payChannel) => {
    const fixture = await openFixture();
    await useCertificates(fixture, payChannel);
    await expectOk(order(fixture, "open", { payChannel }));
    const { id } = await storedOrder(fixture, "open");
    await rotate(fixture, payChannel);
    expect(await orThrow(fixture.sandbox.simulatorControls.pay(id))).toMatchObject({
      notified: true,
    });
    expect(await storedOrder(fixture, "open")).toMatchObject({ paymentStatus: "PAID" });
  });

  it("an app in key mode at WALLET_B continues as before", async () => {
    const fixture = await openFixture();
    await rotate(fixture, "WALLET_B");
    await livesOn(fixture, "WALLET_B", "keyed");
    expect(alarms(fixture)).toEqual([]);
  });

  it.each([
    ["WALLET_A", "platformKeys"],
    ["WALLET_B", "alipayCertificate"],
  ] as const)("%s: a warning is emitted 30 days before the new one expires", async (payChannel, name) => {
    const fixture = await openFixture();
    await useCertificates(fixture, payChannel);
    const warnings = async () => {
      await expectOk(checkCredentialExpiry(fixture.ports));
      return fixture.serviceEvents.filter(({ type }) => type === "credential.expiring");
    };
    const { expiresAt } = await rotate(fixture, payChannel, { validDays: 40 });
    // The configured certificate is valid for decades: only a process that knows the new one can
    // warn of it.
    expect(await warnings()).toEqual([]);
    await livesOn(fixture, payChannel, "learned");
    await fixture.advance(9 * DAY);
    expect(await warnings()).toEqual([]);
    await fixture.advance(DAY);
    const { appId } = fixture;
    const { payToolId } = await storedOrder(fixture, "learned");
    expect(await warnings()).toEqual([
      {
        type: "credential.expiring",
        payChannel,
        appId,
        payToolId,
        name,
        expiresAt: Date.parse(expiresAt),
      },
    ]);
  });
});

/** Opens a proxy to a wallet's gateway that can change some of its responses. */
async function tamperedWith(fixture: TestFixture, payChannel: PayChannel) {
  const { addresses, clock } = fixture.sandbox;
  const upstream = payChannel === "WALLET_A" ? addresses.walletA : addresses.walletB;
  const stranger = otherWalletKeys.retired;
  const serial = serialNo(stranger.publicKey);
  const forged = certificatePem({
    commonName: "Tillkit Sandbox WALLET_B",
    publicKey: stranger.publicKey,
    serial,
    issuer: { commonName: "Tillkit Sandbox WALLET_B root", privateKey: stranger.privateKey },
  });
  let honest = false;
  let downloads = 0;
  const answer = (): string => {
    if (payChannel === "WALLET_B") {
      const alipay_cert_content = Buffer.from(forged).toString("base64");
      const node = JSON.stringify({ code: "10000", msg: "Success", alipay_cert_content });
      return `{"alipay_open_app_alipaycert_download_response":${node}}`;
    }
    const [nonce, associated_data] = ["0123456789ab", "certificate"];
    const ciphertext = seal("f".repeat(32), nonce, associated_data, forged);
    const encrypt_certificate = { algorithm: "AEAD_AES_256_GCM", nonce, associated_data, ciphertext };
    const expire_time = "2049-01-01T00:00:00+08:00";
    return JSON.stringify({ data: [{ serial_no: serial, expire_time, encrypt_certificate }] });
  };
  const url = await listening((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "GET", url: target = "", headers } = request;
      const isDownload = target === "/v3/certificates" || target.includes("alipaycert.download");
      if (isDownload) downloads += 1;
      if (isDownload && !honest) {
        response.end(answer());
        return;
      }
      const sent = Object.entries(headers).flatMap(([name, value]) =>
        typeof value === "string" && !["host", "connection", "content-length"].includes(name)
          ? [[name, value] as const]
          : [],
      );
      const body = method === "GET" ? {} : { body: Buffer.concat(chunks) };
      void fetch(new URL(target, upstream), { method, headers: Object.fromEntries(sent), ...body }).then(
        async (answered) => {
          const text = await answered.text();
          const kept = [...answered.headers].filter(([name]) => /^(wechatpay-|content-type)/.test(name));
          response.writeHead(answered.status, Object.fromEntries(kept)).end(text);
        },
      );
    });
  });
  const wallet: Wallet =
    payChannel === "WALLET_A"
      ? wechatPayWallet({ clock, random: systemRandom, gateways: { DEV: url } })
      : alipayWallet({ clock, gateways: { DEV: `${url}/gateway.do` } });
  const ports: Ports = { ...fixture.ports, wallets: { ...fixture.ports.wallets, [payChannel]: wallet } };
  return {
    fixture: { ...fixture, ports },
    downloads: () => downloads,
    mend: () => {
      honest = true;
    },
  };
}

describe("a forged certificate", () => {
  it.each(["WALLET_A", "WALLET_B"] as const)(
    "%s: verifies no response, is requested at most once a minute, and is replaced by the genuine one",
    async (payChannel) => {
      const genuine = await openFixture();
      await useCertificates(genuine, payChannel);
      const { fixture, downloads, mend } = await tamperedWith(genuine, payChannel);
      await rotate(fixture, payChannel);
      const create = () => order(fixture, "b-1", { payChannel, paySource: "NATIVE" });
      for (let times = 0; times < 5; times += 1)
        expect((await expectFailure(create())).name).toMatch(/^wallet-(a\.bad-answer|b\.failed)$/);
      expect(downloads()).toBe(1);
      mend();
      await expectFailure(create());
      expect(downloads()).toBe(1);
      await fixture.advance(MINUTE);
      await expectOk(create());
      expect(downloads()).toBe(2);
    },
  );

  it("WALLET_A: a forged notification is rejected, and causes no request to the wallet", async () => {
    const genuine = await openFixture();
    await useCertificates(genuine, "WALLET_A");
    const { fixture, downloads } = await tamperedWith(genuine, "WALLET_A");
    await expectOk(order(fixture, "b-1", { payChannel: "WALLET_A" }));
    fixture.hold(true);
    await fixture.sandbox.simulatorControls.pay((await storedOrder(fixture, "b-1")).id);
    const [delivery] = fixture.sent;
    if (delivery === undefined) throw new Error("The wallet sent no notification.");
    const { payToolId } = await storedOrder(fixture, "b-1");
    const orderRef = Buffer.from("b-1").toString("base64url");
    // The retired key signs under its own number, which the service does not know.
    const forged = await forgeWalletANotification(delivery, {
      signing: "retired",
      apiV3Key: "f".repeat(32),
      at: fixture.ports.clock.now(),
    });
    const address = { payChannel: "WALLET_A", payToolId, orderRef } as const;
    const message = { headers: new Headers(forged.headers), body: Buffer.from(forged.body) };
    for (let times = 0; times < 5; times += 1)
      expect(await expectFailure(receiveNotification(fixture.ports, address, message))).toMatchObject({
        reason: "unverified",
      });
    expect(downloads()).toBe(0);
    expect(await storedOrder(fixture, "b-1")).toMatchObject({ paymentStatus: "PENDING" });
  });
});

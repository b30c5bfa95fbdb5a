import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { alipayWallet } from "@tillkit/alipay";
import {
  checkCredentialExpiry,
  configurePayTool,
  type PayChannel,
  type Ports,
  takeNotification,
  type Wallet,
} from "@tillkit/core";
import { systemRandom } from "@tillkit/runtime";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { newPair } from "../keys.js";
import { certificatePem, serialNo } from "../shared/certificate.js";
import { listening } from "../testing/listening.js";
import { remadeA } from "../testing/notifications.js";
import { tellControl } from "../testing/tell-control.js";
import {
  DAY,
  held,
  MINUTE,
  openWorld,
  order,
  pass,
  read,
  refund,
  SECOND,
  type World,
} from "../testing/world.js";
import { seal } from "../wallet-a/sign.js";

const rotated = z.object({ wallet: z.enum(["A", "B"]), certificate: z.string(), expiresAt: z.string() });

/** Returns the credentials of a pay tool that trusts the wallet's certificates. */
function certificateMode({ sandbox }: World, payChannel: PayChannel): Readonly<Record<string, string>> {
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

async function useCertificates(world: World, payChannel: PayChannel): Promise<void> {
  const tool = { ...world.sandbox.payTools[payChannel], credentials: certificateMode(world, payChannel) };
  const { problems } = await expectOk(configurePayTool(world.ports, world.appId, tool));
  expect(problems).toEqual([]);
}

async function rotate({ sandbox }: World, payChannel: PayChannel, more: object = {}) {
  const wallet = payChannel === "WALLET_A" ? "A" : "B";
  const reply = await tellControl(sandbox, "/rotate-keys", { wallet, ...more });
  expect(reply.status).toBe(200);
  return rotated.parse(JSON.parse(reply.body));
}

/** Runs an order through its whole life: creation, payment, notification, query and refund. */
async function livesOn(world: World, payChannel: PayChannel, bizNo: string): Promise<void> {
  await expectOk(order(world, bizNo, { payChannel, paySource: "NATIVE" }));
  const { id } = await held(world, bizNo);
  const paid = await world.sandbox.desk.pay(id);
  // The service accepted the notification, even the first one under the new certificate.
  expect(paid._unsafeUnwrap()).toMatchObject({ state: "PAID", notified: true });
  expect(await held(world, bizNo)).toMatchObject({ paymentStatus: "PAID" });
  expect(await expectOk(read(world.ports, world.appId, bizNo))).toMatchObject({ paymentStatus: "PAID" });
  await expectOk(refund(world, bizNo, `refund-${bizNo}`));
  await pass(world, 2 * SECOND, MINUTE);
  expect(await held(world, bizNo)).toMatchObject({ paymentStatus: "REFUND", refundedAmount: 600 });
}

const alarms = (world: World) =>
  world.notices.filter(({ type }) => type === "notification.refused" || type === "order.alarm");

describe("after a wallet replaced its certificate", () => {
  it.each([
    ["WALLET_A", "by its public key and its certificate", false],
    ["WALLET_A", "by its certificate alone", true],
    ["WALLET_B", "by its certificate", true],
  ] as const)("%s, known %s: payments go on without a change", async (payChannel, _how, certified) => {
    const world = await openWorld();
    if (certified) await useCertificates(world, payChannel);
    await livesOn(world, payChannel, "before");
    for (const bizNo of ["first", "second"]) {
      await rotate(world, payChannel);
      await livesOn(world, payChannel, bizNo);
      await world.advance(MINUTE);
    }
    expect(alarms(world)).toEqual([]);
    expect(world.sandbox.desk.balance(payChannel)).toBe(0);
  });

  it.each(["WALLET_A", "WALLET_B"] as const)("%s: orders from before it are paid", async (payChannel) => {
    const world = await openWorld();
    await useCertificates(world, payChannel);
    await expectOk(order(world, "open", { payChannel }));
    const { id } = await held(world, "open");
    await rotate(world, payChannel);
    expect((await world.sandbox.desk.pay(id))._unsafeUnwrap()).toMatchObject({ notified: true });
    expect(await held(world, "open")).toMatchObject({ paymentStatus: "PAID" });
  });

  it("an app in key mode at WALLET_B goes on as before", async () => {
    const world = await openWorld();
    await rotate(world, "WALLET_B");
    await livesOn(world, "WALLET_B", "keyed");
    expect(alarms(world)).toEqual([]);
  });

  it.each([
    ["WALLET_A", "platformKeys"],
    ["WALLET_B", "alipayCertificate"],
  ] as const)("%s: the end of the new one is warned of 30 days before", async (payChannel, name) => {
    const world = await openWorld();
    await useCertificates(world, payChannel);
    const warnings = async () => {
      await expectOk(checkCredentialExpiry(world.ports));
      return world.notices.filter(({ type }) => type === "credential.expiring");
    };
    const { expiresAt } = await rotate(world, payChannel, { validDays: 40 });
    // The configured certificate is valid for decades: only a process that knows the new one can
    // warn of it.
    expect(await warnings()).toEqual([]);
    await livesOn(world, payChannel, "learned");
    await world.advance(9 * DAY);
    expect(await warnings()).toEqual([]);
    await world.advance(DAY);
    const { appId } = world;
    const { payToolId } = await held(world, "learned");
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
async function tamperedWith(world: World, payChannel: PayChannel) {
  const { addresses, clock } = world.sandbox;
  const upstream = payChannel === "WALLET_A" ? addresses.walletA : addresses.walletB;
  const stranger = await newPair();
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
  const ports: Ports = { ...world.ports, wallets: { ...world.ports.wallets, [payChannel]: wallet } };
  return {
    world: { ...world, ports },
    downloads: () => downloads,
    mend: () => {
      honest = true;
    },
  };
}

describe("a forged certificate", () => {
  it.each(["WALLET_A", "WALLET_B"] as const)(
    "%s: proves no answer, is asked for once a minute, and the genuine one heals it",
    async (payChannel) => {
      const genuine = await openWorld();
      await useCertificates(genuine, payChannel);
      const { world, downloads, mend } = await tamperedWith(genuine, payChannel);
      await rotate(world, payChannel);
      const create = () => order(world, "b-1", { payChannel, paySource: "NATIVE" });
      for (let times = 0; times < 5; times += 1)
        expect((await expectFailure(create())).name).toMatch(/^wallet-(a\.bad-answer|b\.failed)$/);
      expect(downloads()).toBe(1);
      mend();
      await expectFailure(create());
      expect(downloads()).toBe(1);
      await world.advance(MINUTE);
      await expectOk(create());
      expect(downloads()).toBe(2);
    },
  );

  it("WALLET_A: a notification by a stranger is refused, and makes nobody ask the wallet", async () => {
    const genuine = await openWorld();
    await useCertificates(genuine, "WALLET_A");
    const { world, downloads } = await tamperedWith(genuine, "WALLET_A");
    await expectOk(order(world, "b-1", { payChannel: "WALLET_A" }));
    world.hold(true);
    await world.sandbox.desk.pay((await held(world, "b-1")).id);
    const [delivery] = world.sent;
    if (delivery === undefined) throw new Error("The wallet sent no notification.");
    const { payToolId } = await held(world, "b-1");
    const orderRef = Buffer.from("b-1").toString("base64url");
    // The retired key signs under its own number, which the service does not know.
    const forged = await remadeA(delivery, {
      signing: "retired",
      apiV3Key: "f".repeat(32),
      at: world.ports.clock.now(),
    });
    const address = { payChannel: "WALLET_A", payToolId, orderRef } as const;
    const message = { headers: new Headers(forged.headers), body: Buffer.from(forged.body) };
    for (let times = 0; times < 5; times += 1)
      expect(await expectFailure(takeNotification(world.ports, address, message))).toMatchObject({
        reason: "unverified",
      });
    expect(downloads()).toBe(0);
    expect(await held(world, "b-1")).toMatchObject({ paymentStatus: "PENDING" });
  });
});

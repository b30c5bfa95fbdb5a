import { expectOk } from "@tillkit/contract-tests";
import { orThrow, type Ports } from "@tillkit/core";
import { systemRandom } from "@tillkit/runtime";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import { expect, it } from "vitest";
import { openFixture, order, SECOND, storedOrder } from "../testing/fixture.js";

it("the payer's address is that of the last request: after ten seconds, the order gets a new page with it", async () => {
  const fixture = await openFixture();
  const { clock } = fixture.ports;
  let address = "10.0.0.1";
  const sent: string[] = [];
  const payerClientIp = () => {
    sent.push(address);
    return address;
  };
  const gateways = { DEV: fixture.sandbox.addresses.walletA };
  const WALLET_A = wechatPayWallet({ clock, random: systemRandom, gateways, payerClientIp });
  const ports: Ports = { ...fixture.ports, wallets: { ...fixture.ports.wallets, WALLET_A } };
  const page = async () => {
    const { payload } = await expectOk(
      order({ ...fixture, ports }, "b-1", { payChannel: "WALLET_A", paySource: "H5" }),
    );
    return "h5_url" in payload ? payload.h5_url : undefined;
  };

  const first = await page();
  address = "10.0.0.2";
  await fixture.advance(9 * SECOND);
  expect(await page()).toBe(first);
  await fixture.advance(SECOND);
  const second = await page();
  expect(second).toMatch(/^https:\/\/wx\.tenpay\.com\//);
  expect(second).not.toBe(first);
  expect(sent).toEqual(["10.0.0.1", "10.0.0.2"]);
  await orThrow(fixture.sandbox.simulatorControls.pay((await storedOrder(fixture, "b-1")).id));
  expect(await storedOrder(fixture, "b-1")).toMatchObject({ paymentStatus: "PAID" });
});

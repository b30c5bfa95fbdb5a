import type { Clock, WalletAccount, WalletFailure } from "@tillkit/core";
import type { AccessToken, ShipmentAnswer, WalletShipment, WalletShipments } from "@tillkit/core/ports";
import { providerOf, readJson, walletText } from "@tillkit/wallet-kit";
import { err, errAsync, ok, okAsync, type Result } from "neverthrow";
import * as z from "zod";
import { notSentRefusal } from "../gateway/read-refusal.js";
import { appSecretOf } from "../credentials/app-secret.js";
import { type ShipmentsOption, shipmentsOption } from "../credentials/shipments-option.js";
import { rfc3339Milliseconds } from "../times.js";
import type { CallMiniProgram, MiniProgramAnswer } from "./call-mini-program.js";
import { codeFailure, meaningOf } from "./error-codes.js";

const token = z.object({ access_token: z.string().min(1).max(2_048), expires_in: z.number().positive() });
const order = z.object({ order: z.object({ order_state: z.int() }) });

const REPORT_PATH = "/wxa/sec/order/upload_shipping_info";
/** Maximum length of the description of the goods, in characters. */
const MAX_ITEM = 120;
/** WeChat replaces a token in the last five minutes of its life. */
const REPLACED_BEFORE_MS = 300_000;
/** The states of an order at WeChat: waiting for its delivery, and refunded in full. */
const [WAITING, REFUNDED] = [1, 5] as const;

const SWITCHED_OFF = notSentRefusal("configuration", "shipments and appSecret are not set; nothing was sent");

/**
 * Creates the part of the adapter that reports deliveries of a mini-program.
 *
 * It uses the order shipping management of mini-programs, which has another host than WeChat Pay,
 * and access tokens instead of signatures.
 */
export function miniProgramShipments(call: CallMiniProgram, clock: Pick<Clock, "now">): WalletShipments {
  const stateOf = (
    account: WalletAccount,
    shipment: WalletShipment,
    accessToken: string,
    limits: { readonly deadline: number },
  ) =>
    call(
      account,
      { path: "/wxa/sec/order/get_order", token: accessToken, body: orderQuery(account, shipment) },
      limits,
    ).andThen((answer): Result<ShipmentAnswer | "waiting", ReportFailure> => {
      if (answer.code !== 0) return refusal(answer, shipment);
      const state = readJson(order, answer.body)?.order.order_state;
      if (state === undefined) return err(UNREADABLE);
      if (state === WAITING) return ok("waiting");
      return ok(state === REFUNDED ? "refunded" : "already-reported");
    });

  return {
    isReported: ({ credentials }, paySource) =>
      paySource === "JSAPI" && shipmentsOption(credentials, true).unwrapOr(undefined) !== undefined,
    requestAccessToken: (account, limits) => {
      const secret = appSecretOf(account);
      if (secret === undefined) return errAsync(SWITCHED_OFF);
      const { walletAppId: appid } = account;
      // Unlike `/cgi-bin/token`, this call returns the same token until it expires, and does not
      // make the tokens of other programs invalid.
      const body = { grant_type: "client_credential", appid, secret, force_refresh: false };
      return call(account, { path: "/cgi-bin/stable_token", body }, limits).andThen(
        (answer): Result<AccessToken, WalletFailure> => {
          if (answer.code !== 0) return err(tokenFailure(answer));
          const read = readJson(token, answer.body);
          if (read === undefined) return err(UNREADABLE);
          const lifetime = read.expires_in * 1_000;
          const usable = Math.max(lifetime / 2, lifetime - REPLACED_BEFORE_MS);
          return ok({ token: read.access_token, expiresAt: Math.floor(clock.now() + usable) });
        },
      );
    },
    report: (account, shipment, accessToken, limits) => {
      const option = shipmentsOption(account.credentials, true).unwrapOr(undefined);
      if (option === undefined) return errAsync(SWITCHED_OFF);
      const endsAt = performance.now() + limits.deadline;
      const left = () => ({ deadline: Math.max(1, endsAt - performance.now()) });
      const send = (uploadedAt: number) => {
        const body = reportBody(account, shipment, option, uploadedAt);
        return call(account, { path: REPORT_PATH, token: accessToken, body }, left());
      };
      return send(shipment.paidAt).andThen((answer) => {
        const meaning = meaningOf(answer.code);
        if (meaning !== "not-shippable" && meaning !== "time-refused") return outcomeOf(answer, shipment);
        return stateOf(account, shipment, accessToken, left()).andThen((state) => {
          if (state !== "waiting") return okAsync<ShipmentAnswer, ReportFailure>(state);
          if (meaning === "not-shippable") return refusal(answer, shipment);
          // WeChat also refuses the time of a payment that was made long ago.
          return send(clock.now()).andThen((again) => outcomeOf(again, shipment));
        });
      });
    },
  };
}

type ReportFailure = WalletFailure | { readonly name: "access-token.refused" };

function outcomeOf(
  answer: MiniProgramAnswer,
  shipment: WalletShipment,
): Result<ShipmentAnswer, ReportFailure> {
  if (answer.code === 0) return ok("reported");
  return meaningOf(answer.code) === "already-reported" ? ok("already-reported") : refusal(answer, shipment);
}

function refusal(
  { code, detail }: MiniProgramAnswer,
  { payerId }: WalletShipment,
): Result<never, ReportFailure> {
  const meaning = meaningOf(code);
  if (meaning === "token-refused") return err({ name: "access-token.refused" });
  // WeChat may quote the openid in a refusal, which Tillkit stores in the timeline of the order.
  return err(codeFailure(code, meaning, detail.replaceAll(payerId, "(the payer)")));
}

/** Here the codes about a token mean that the secret is wrong. */
function tokenFailure({ code, detail }: MiniProgramAnswer): WalletFailure {
  const meaning = meaningOf(code);
  return codeFailure(code, meaning === "token-refused" ? "configuration" : meaning, detail);
}

const UNREADABLE: WalletFailure = {
  name: "wallet.unknown",
  cause: "unverified",
  detail: "the response of the mini-program API has not the expected form",
};

/** The merchant that placed the order: the service provider, if there is one. */
function placedBy(account: WalletAccount): string {
  return (providerOf(account) ?? account).accountId;
}

function reportBody(
  account: WalletAccount,
  shipment: WalletShipment,
  { logisticsType }: ShipmentsOption,
  uploadedAt: number,
): object {
  // WeChat refuses a time with zero milliseconds, and the time of a payment has whole seconds.
  const instant = uploadedAt % 1_000 === 0 ? uploadedAt + 1 : uploadedAt;
  return {
    order_key: orderKey(account, shipment),
    logistics_type: logisticsType,
    delivery_mode: 1,
    shipping_list: [{ item_desc: itemText(shipment) }],
    upload_time: rfc3339Milliseconds(instant),
    payer: { openid: shipment.payerId },
  };
}

function orderKey(account: WalletAccount, { outTradeNo, walletTradeNo }: WalletShipment): object {
  if (walletTradeNo !== undefined) return { order_number_type: 2, transaction_id: walletTradeNo };
  return { order_number_type: 1, mchid: placedBy(account), out_trade_no: outTradeNo };
}

function orderQuery(account: WalletAccount, { outTradeNo, walletTradeNo }: WalletShipment): object {
  if (walletTradeNo !== undefined) return { transaction_id: walletTradeNo };
  const sub = providerOf(account) === undefined ? {} : { sub_merchant_id: account.accountId };
  return { merchant_id: placedBy(account), ...sub, merchant_trade_no: outTradeNo };
}

function itemText({ goodsTitle, outTradeNo }: WalletShipment): string {
  const text = walletText(goodsTitle, { maxBytes: 3 * MAX_ITEM, fallback: outTradeNo });
  return [...text].slice(0, MAX_ITEM).join("").trim();
}

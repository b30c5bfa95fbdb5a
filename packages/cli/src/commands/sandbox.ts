import { z } from "zod";
import { table, timeText } from "../answer.js";
import type { Context } from "../context.js";
import { wholeNumber } from "../numbers.js";
import { callSandbox } from "../sandbox-control.js";
import { examples, groupCommand, plainCommand } from "../settings.js";
import { counted } from "../counted.js";

/** Creates `tillkit sandbox`, which acts as the customers, the wallets and the SMS carrier. */
export function sandboxCommand(context: Context) {
  return groupCommand("sandbox")
    .description("Act as the customers, the wallets and the SMS carrier of a running sandbox.")
    .addCommand(payCommand(context))
    .addCommand(refundAtWalletCommand(context))
    .addCommand(notifyCommand(context))
    .addCommand(faultCommand(context))
    .addCommand(smsCommand(context));
}

/** Creates a command with the options that find the sandbox. */
function controlCommand(name: string) {
  return plainCommand(name)
    .option(
      "--control <url>",
      "control address of the sandbox (default: that of the development host in this folder)",
    )
    .option(
      "--data-dir <folder>",
      "data folder of the development host, whose host.json has the address",
      ".tillkit",
    );
}

/** The order of a command, by one of its two numbers. */
const ORDER = ["<order>", "the order's bizNo, or its `id` in the answer of /detail.json"] as const;

const paid = z.looseObject({
  outTradeNo: z.string(),
  state: z.string(),
  notified: z.boolean(),
  why: z.string().optional(),
  nextAttemptInMs: z.number().optional(),
});

function payCommand({ report }: Context) {
  return controlCommand("pay")
    .description("Pay an order as its customer does. The wallet then notifies the host.")
    .argument(...ORDER)
    .addHelpText("after", examples("tillkit sandbox pay buy-1001"))
    .action((outTradeNo, options) =>
      report(
        options,
        callSandbox(options, { path: "/pay", body: { outTradeNo } }, paid).map((data) => ({
          data,
          text: `The order ${data.outTradeNo} is ${data.state} at the wallet. The host ${data.notified ? "acknowledged the notification." : unacknowledged(data)}`,
        })),
      ),
    );
}

/** Returns why the host did not acknowledge a notification, and when the wallet repeats it. */
function unacknowledged({ why, nextAttemptInMs }: z.infer<typeof paid>): string {
  const reason = why === undefined ? "" : `: ${why}`;
  const next =
    nextAttemptInMs === undefined
      ? ""
      : ` The wallet repeats it in ${counted(Math.ceil(nextAttemptInMs / 1_000), "second")}.`;
  return `did not acknowledge the notification${reason}.${next}`;
}

const refunded = z.looseObject({
  bizNo: z.string(),
  refundNo: z.string(),
  amount: z.int(),
  status: z.string(),
});

function refundAtWalletCommand({ report }: Context) {
  return controlCommand("refund")
    .description("Refund an order of the development host in this folder, as its operator does.")
    .argument("<biz-no>", "the order's bizNo")
    .option("--amount <cents>", "amount in cents (default: the whole remaining amount)", wholeNumber)
    .addHelpText("after", examples("tillkit sandbox refund buy-1001 --amount 100"))
    .action((bizNo, { amount, ...options }) =>
      report(
        options,
        callSandbox(
          options,
          { path: "/refund", body: { bizNo, ...(amount === undefined ? {} : { amount }) } },
          refunded,
        ).map((data) => ({
          data,
          text: table(
            ["BIZ NO", "REFUND NO", "AMOUNT", "STATUS"],
            [[data.bizNo, data.refundNo, { cents: data.amount }, data.status]],
          ),
        })),
      ),
    );
}

const notified = z.looseObject({
  outTradeNo: z.string(),
  delivered: z.int(),
  acknowledged: z.int(),
  why: z.string().optional(),
});

function notifyCommand({ report }: Context) {
  return controlCommand("notify")
    .description("Send the last notification of an order again, as a wallet does after a lost answer.")
    .argument(...ORDER)
    .option("--times <count>", "how often, up to 100 (default: 1)", wholeNumber)
    .option(
      "--as <forgery>",
      "send a false notification: forged, tampered, stale, wrong-amount, wrong-app, …",
    )
    .addHelpText("after", examples("tillkit sandbox notify buy-1001 --times 3"))
    .action((outTradeNo, { times, as, ...options }) =>
      report(
        options,
        callSandbox(
          options,
          {
            path: "/notify",
            body: {
              outTradeNo,
              ...(times === undefined ? {} : { times }),
              ...(as === undefined ? {} : { as }),
            },
          },
          notified,
        ).map((data) => ({
          data,
          text: `The wallet sent ${counted(data.delivered, "notification")} of ${data.outTradeNo}, and the host acknowledged ${String(data.acknowledged)}.${data.why === undefined ? "" : ` The reason: ${data.why}.`}`,
        })),
      ),
    );
}

const faults = z.record(z.string(), z.unknown());
/** A fault that ends after `times` calls. */
const countedFault = z.object({ fault: z.union([z.string(), z.int()]), times: z.int() });

function faultCommand({ report }: Context) {
  return controlCommand("fault")
    .description(
      "Make calls of a wallet or of the SMS carrier fail until you clear the fault. Without arguments, list the present faults. The README of @tillkit/sandbox describes every fault.",
    )
    .argument("[place]", "a call such as WALLET_A.prepay or WALLET_B.notify, a wallet, or sms")
    .argument("[fault]", "such as timeout, 500, reject or drop; none clears the fault (default: none)")
    .option("--times <count>", "clear the fault by itself after so many calls", wholeNumber)
    .addHelpText(
      "after",
      examples(
        "tillkit sandbox fault WALLET_A.prepay timeout",
        "tillkit sandbox fault WALLET_B.notify drop --times 1",
        "tillkit sandbox fault WALLET_A none",
        "tillkit sandbox fault",
      ),
    )
    .action((place, fault, { times, ...options }) =>
      report(
        options,
        callSandbox(
          options,
          { path: "/faults", body: place === undefined ? {} : faultChange(place, fault, times) },
          faults,
        ).map((data) => ({
          data,
          text: table(["PLACE", "FAULT"], faultRows(data), "There are no faults."),
        })),
      ),
    );
}

/** Returns the change of faults that the sandbox accepts. The sandbox checks the names. */
function faultChange(place: string, fault = "none", times: number | undefined): Record<string, unknown> {
  const [wallet = "", call] = place.split(".", 2);
  // Error codes of WeChat are numbers, and 429 and 500 are names of faults.
  const kind = /^\d{4,}$/.test(fault) ? Number(fault) : fault;
  const setting = fault === "none" ? null : times === undefined ? kind : { fault: kind, times };
  const name = { WALLET_A: "walletA", WALLET_B: "walletB" }[wallet.toUpperCase()] ?? wallet;
  return { [name]: call === undefined ? setting : { [call]: setting } };
}

function faultRows(data: Readonly<Record<string, unknown>>): readonly (readonly string[])[] {
  const names = new Map([
    ["walletA", "WALLET_A"],
    ["walletB", "WALLET_B"],
  ]);
  return Object.entries(data).flatMap(([name, fault]) => rowsOf(names.get(name) ?? name, fault));
}

/** Returns a row for a fault, or the rows of all faults of a wallet. */
function rowsOf(place: string, fault: unknown): readonly (readonly string[])[] {
  if (fault === null) return [];
  const counted = countedFault.safeParse(fault);
  if (counted.success) return [[place, `${String(counted.data.fault)} (${String(counted.data.times)} more)`]];
  const calls = faults.safeParse(fault);
  if (!calls.success) return [[place, typeof fault === "string" ? fault : JSON.stringify(fault)]];
  return Object.entries(calls.data).flatMap(([call, one]) => rowsOf(`${place}.${call}`, one));
}

const messages = z.array(z.looseObject({ mobileNo: z.string(), authCode: z.string(), at: z.int() }));

function smsCommand({ report }: Context) {
  return controlCommand("sms")
    .description("List the messages that the simulated SMS carrier accepted, oldest first.")
    .option("--to <number>", "list only the messages to this phone number")
    .addHelpText("after", examples("tillkit sandbox sms --to 13800138000"))
    .action(({ to, ...options }) =>
      report(
        options,
        callSandbox(options, { path: "/sms", query: { mobileNo: to } }, messages).map((data) => ({
          data: { messages: data },
          text: table(
            ["TIME", "TO", "CODE"],
            data.map(({ at, mobileNo, authCode }) => [timeText(at), mobileNo, authCode]),
            "No messages.",
          ),
        })),
      ),
    );
}

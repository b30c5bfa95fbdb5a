import type { ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import { useTexts } from "../language/catalogue.js";
import { ORDERS_TEXTS } from "../orders/messages.js";
import { useChannelName } from "../ui/channel.js";
import { Copyable } from "../ui/copyable.js";
import { Money } from "../ui/money.js";
import { Status } from "../ui/status.js";
import { Time } from "../ui/time.js";
import { BILLS_TEXTS } from "./messages.js";
import { ExceptionRemedies } from "./exception-remedies.js";
import type { BillException } from "./queries.js";

interface ExceptionCardProps {
  readonly exception: BillException;
  readonly isChosen?: boolean;
  /**
   * Selects the exception, to resolve it with others. Absent if the operator must not resolve it.
   */
  readonly onChoose?: (isChosen: boolean) => void;
  /** Called once the exception is closed. Absent if the operator must not close it. */
  readonly onDone?: () => void;
}

/** One exception: both sides next to each other, and how to resolve it. */
export function ExceptionCard({ exception, isChosen = false, onChoose, onDone }: ExceptionCardProps) {
  const texts = useTexts(BILLS_TEXTS);
  const orders = useTexts(ORDERS_TEXTS);
  const channelName = useChannelName();
  const { kind, state, payChannel, accountId, day, outTradeNo, order, operator, note } = exception;
  return (
    <article className="exception" tabIndex={-1} data-card={exception.id} aria-label={texts[kind]}>
      <div className="exception-head">
        <h2>
          {onChoose !== undefined && (
            <input
              type="checkbox"
              checked={isChosen}
              onChange={(event) => onChoose(event.target.checked)}
              aria-label={texts.choose(exception.id)}
            />
          )}{" "}
          {texts[kind]} <Status tone={state === "OPEN" ? "waiting" : "good"}>{texts[state]}</Status>
        </h2>
        {onDone !== undefined && (
          <div className="remedies">
            <ExceptionRemedies exception={exception} onDone={onDone} />
          </div>
        )}
      </div>
      <p className="muted">
        {texts.bill(day)} · {channelName(payChannel)} {accountId} · {texts.found}{" "}
        <Time at={exception.gmtCreate} />
      </p>
      <div className="sides">
        <Side title={texts.wallet} amount={exception.amountThere}>
          {outTradeNo !== "" && <Named name={orders.id} number={outTradeNo} />}
          {exception.walletTradeNo !== undefined && (
            <Named name={orders.walletTradeNo} number={exception.walletTradeNo} />
          )}
          {exception.detail !== undefined && <p>{exception.detail}</p>}
        </Side>
        <Side title={texts.here} amount={exception.amountHere}>
          {order === undefined ? (
            <p className="muted">{texts.noOrder}</p>
          ) : (
            <p className="named">
              <span className="muted">{orders.bizNo}</span>
              <Link className="mono" to="/orders/$appId/$bizNo" params={order}>
                {order.bizNo}
              </Link>
            </p>
          )}
          {exception.statusHere !== undefined && (
            <p className="named">
              <span className="muted">{orders.status}</span> {statusWord(exception.statusHere, orders)}
            </p>
          )}
        </Side>
        <Difference exception={exception} />
      </div>
      {operator !== undefined && <p>{texts.resolvedBy(operator, note ?? "")}</p>}
    </article>
  );
}

/** By how much the bill is above or below the records. A missing side counts as zero. */
function Difference({ exception: { amountThere, amountHere } }: Pick<ExceptionCardProps, "exception">) {
  const texts = useTexts(BILLS_TEXTS);
  if (amountThere === undefined && amountHere === undefined) return null;
  const cents = (amountThere ?? 0) - (amountHere ?? 0);
  return (
    <section>
      <h3>{texts.difference}</h3>
      <p className="side-amount">
        {cents > 0 && "+"}
        <Money cents={cents} />
      </p>
      <p className="muted">{cents > 0 ? texts.billMore : cents < 0 ? texts.billLess : texts.billSame}</p>
    </section>
  );
}

/** A number of the bill, with its name in the wallet's console. */
function Named({ name, number }: { readonly name: string; readonly number: string }) {
  return (
    <p className="named">
      <span className="muted">{name}</span> <Copyable text={number} />
    </p>
  );
}

/** Returns the word for the status of an order or of a refund. */
function statusWord(status: string, texts: Readonly<Record<string, unknown>>): string {
  const word = texts[status];
  return typeof word === "string" ? word : status;
}

interface SideProps {
  readonly title: string;
  readonly amount: number | undefined;
  readonly children: ReactNode;
}

function Side({ title, amount, children }: SideProps) {
  const texts = useTexts(BILLS_TEXTS);
  return (
    <section>
      <h3>{title}</h3>
      <p className="side-amount">{amount === undefined ? texts.nothing : <Money cents={amount} />}</p>
      {children}
    </section>
  );
}

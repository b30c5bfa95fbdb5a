import type { Schema } from "../api/routes.js";
import { BILLS_TEXTS } from "../bills/messages.js";
import { useTexts } from "../language/catalogue.js";
import { formatMoney } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { Time } from "../ui/time.js";
import { ACTIVITY_TEXTS } from "./activity-messages.js";

interface OrderActivityProps {
  readonly activity: Schema<"OrderActivity">;
  /** The refund that the operator is about to confirm, in cents. */
  readonly amount: number;
}

/** Warns of everything that others have started for the order, with the sum of all refunds. */
export function OrderActivity({ activity, amount }: OrderActivityProps) {
  const texts = useTexts(ACTIVITY_TEXTS);
  const bills = useTexts(BILLS_TEXTS);
  const language = useLanguage();
  const { approvals, refunds, alarms, exceptions } = activity;
  if (approvals.length + refunds.length + alarms.length + exceptions.length === 0) return null;
  const others = [...approvals, ...refunds].reduce((sum, one) => sum + one.amount, 0);
  const money = (cents: number) => formatMoney(cents, language);
  return (
    <div className="notice" role="alert">
      <p>
        <strong>{texts.title}</strong>
      </p>
      <ul>
        {approvals.map((one) => (
          <li key={one.refundNo}>
            {texts.approval(money(one.amount), one.requestedBy, one.reason)} <Time at={one.requestedAt} />
          </li>
        ))}
        {refunds.map((one) => (
          <li key={one.refundNo}>
            {texts.refund(money(one.amount), one.operator, one.reason)} <Time at={one.gmtCreate} />
          </li>
        ))}
        {exceptions.map(({ id, kind, day, amountThere, amountHere }) => (
          <li key={id}>
            {texts.exception(
              day,
              bills[kind],
              amountThere === undefined ? bills.nothing : money(amountThere),
              amountHere === undefined ? bills.nothing : money(amountHere),
            )}
          </li>
        ))}
        {alarms.length > 0 && <li>{texts.alarms(alarms.length)}</li>}
      </ul>
      {others > 0 && <p>{texts.both(money(amount), money(amount + others))}</p>}
    </div>
  );
}

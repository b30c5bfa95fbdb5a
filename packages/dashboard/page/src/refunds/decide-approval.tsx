import { useEffect, useRef } from "react";
import type { Schema } from "../api/routes.js";
import { useStep } from "../api/use-step.js";
import { useTexts } from "../language/catalogue.js";
import { formatMoney } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { OrderActivity } from "../orders/order-activity.js";
import { useMay } from "../session/session-context.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { REFUNDS_TEXTS } from "./messages.js";
import { useDecision } from "./queries.js";

/** The decision about a waiting refund, or why this operator cannot decide. */
export function DecideApproval({ approval }: { readonly approval: Schema<"RefundApproval"> }) {
  const texts = useTexts(REFUNDS_TEXTS);
  const language = useLanguage();
  const may = useMay();
  const { id, appId, bizNo, refundNo, amount, mine } = approval;
  const path = { appId, bizNo };
  const check = useStep("post", "/api/orders/{appId}/{bizNo}/refunds/dry-run", { path });
  const seen = check.data?.activity.seen;
  const approve = useDecision(id, "approve", seen);
  const reject = useDecision(id, "reject");
  // The refusal names what is new, also if the check now fails for the same reason.
  const activity = check.data?.activity ?? approve.error?.facts.activity;
  const money = formatMoney(amount, language);
  if (mine) return <p className="muted">{texts.mine}</p>;
  return (
    <div className="dialog-actions">
      {may("refund.reject") && (
        <ReasonDialog action={texts.reject} title={texts.rejectTitle(money)} change={reject}>
          <p>{texts.rejectHelp}</p>
        </ReasonDialog>
      )}
      {may("refund.approve") && (
        <ReasonDialog action={texts.approve} title={texts.approveTitle(money)} change={approve}>
          <p>{texts.approveHelp}</p>
          <ActivityCheck version={approve.error?.failure} run={() => check.mutate({ refundNo, amount })} />
          {activity !== undefined && <OrderActivity activity={activity} amount={amount} />}
        </ReasonDialog>
      )}
    </div>
  );
}

/** Reads what others have started, when the dialog opens and again after the server refused. */
function ActivityCheck({ version, run }: { readonly version: string | undefined; readonly run: () => void }) {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => latest.current(), [version]);
  return null;
}

import { useEffect, useRef } from "react";
import type { Schema } from "../api/routes.js";
import { useCheck } from "../api/use-step.js";
import { useTexts } from "../language/catalogue.js";
import { formatMoney } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { ORDERS_TEXTS } from "../orders/messages.js";
import { OrderActivity } from "../orders/order-activity.js";
import { REFUND_TEXTS } from "../orders/refund-messages.js";
import { useMay } from "../session/session-context.js";
import { useChannelName } from "../ui/channel.js";
import { Money } from "../ui/money.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { Time } from "../ui/time.js";
import { REFUNDS_TEXTS } from "./messages.js";
import { useDecision } from "./queries.js";

/** The decision about a waiting refund, or why this operator cannot decide. */
export function DecideApproval({ approval }: { readonly approval: Schema<"RefundApproval"> }) {
  const texts = useTexts(REFUNDS_TEXTS);
  const language = useLanguage();
  const may = useMay();
  const { id, appId, bizNo, refundNo, amount, mine } = approval;
  const path = { appId, bizNo };
  const check = useCheck("/api/orders/{appId}/{bizNo}/refunds/dry-run", { path });
  const seen = check.data?.activity.seen;
  const approve = useDecision(id, "approve", seen);
  const reject = useDecision(id, "reject");
  // If the check fails, too, the refusal of the approval contains what others have started.
  const activity = check.data?.activity ?? approve.error?.facts.activity;
  const money = formatMoney(amount, language);
  if (mine) return <p className="muted">{texts.mine}</p>;
  return (
    <div className="dialog-actions">
      {may("refund.reject") && (
        <ReasonDialog action={texts.reject} title={texts.rejectTitle(money)} change={reject}>
          <p>{texts.rejectHelp}</p>
          <RequestFacts approval={approval} />
        </ReasonDialog>
      )}
      {may("refund.approve") && (
        <ReasonDialog action={texts.approve} title={texts.approveTitle(money)} change={approve}>
          <p>{texts.approveHelp}</p>
          <RequestFacts approval={approval} dryRun={check.data} />
          <ActivityCheck version={approve.error?.failure} run={() => check.mutate({ refundNo, amount })} />
          {activity !== undefined && <OrderActivity activity={activity} amount={amount} />}
        </ReasonDialog>
      )}
    </div>
  );
}

interface RequestFactsProps {
  readonly approval: Schema<"RefundApproval">;
  /** What the refund would do, once the server has checked it. */
  readonly dryRun?: Schema<"RefundDryRun"> | undefined;
}

/** What the operator decides about: the order, who asks for what and why, and what remains. */
function RequestFacts({ approval, dryRun }: RequestFactsProps) {
  const texts = useTexts(REFUNDS_TEXTS);
  const refunds = useTexts(REFUND_TEXTS);
  const orders = useTexts(ORDERS_TEXTS);
  const channelName = useChannelName();
  const { bizNo, amount, reason, requestedBy, requestedAt } = approval;
  return (
    <dl className="facts">
      <div>
        <dt>{orders.bizNo}</dt>
        <dd className="mono">{bizNo}</dd>
      </div>
      <div>
        <dt>{texts.request}</dt>
        <dd>
          {requestedBy} · <Time at={requestedAt} />
        </dd>
      </div>
      <div>
        <dt>{texts.why}</dt>
        <dd>{reason}</dd>
      </div>
      <div>
        <dt>{refunds.will}</dt>
        <dd>
          <Money cents={amount} />
        </dd>
      </div>
      {dryRun !== undefined && (
        <>
          <div>
            <dt>{refunds.remains}</dt>
            <dd>
              <Money cents={dryRun.remainingAfter} />
            </dd>
          </div>
          <div>
            <dt>{orders.channel}</dt>
            <dd>{channelName(dryRun.walletRequest.wallet)}</dd>
          </div>
        </>
      )}
    </dl>
  );
}

/** Reads what others have started, when the dialog opens and again after the server refused. */
function ActivityCheck({ version, run }: { readonly version: string | undefined; readonly run: () => void }) {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => latest.current(), [version]);
  return null;
}

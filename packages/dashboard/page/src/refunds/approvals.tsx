import { Link } from "@tanstack/react-router";
import type { Schema } from "../api/routes.js";
import { areReadable, filterReader } from "../filters/filter-reader.js";
import { UnreadableChoices } from "../filters/unreadable-choices.js";
import { useTexts } from "../language/catalogue.js";
import { ApprovalFacts } from "../orders/order-approvals.js";
import { Loaded } from "../ui/loaded.js";
import { Money } from "../ui/money.js";
import { UI_TEXTS } from "../ui/messages.js";
import { Tabs } from "../ui/tabs.js";
import { Time } from "../ui/time.js";
import { DecideApproval } from "./decide-approval.js";
import { REFUNDS_TEXTS } from "./messages.js";
import { useApprovals } from "./queries.js";

/** The parameters of the address that select approvals. */
interface ApprovalsSearch {
  readonly tab?: string;
  readonly mine?: string;
  readonly notMade?: string;
  readonly app?: string;
  /** The position at which the page of the list begins. */
  readonly asked?: string;
}

/** A tab keeps the filters of the list below it. */
const TAB = {
  from: "/refunds",
  to: "/refunds",
  activeOptions: { exact: true, includeSearch: true },
} as const;

/** Returns the filters of the list, without the choice of approvals. */
function filtersOf<Search extends ApprovalsSearch>({
  tab: _tab,
  mine: _mine,
  notMade: _notMade,
  asked: _asked,
  ...filters
}: Search) {
  return filters;
}

/** The refunds that need a second person: those that wait, or those that are decided. */
export function Approvals({ search }: { readonly search: ApprovalsSearch }) {
  const texts = useTexts(REFUNDS_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const { app, asked } = search;
  const shown = { tab: search.tab, mine: search.mine, notMade: search.notMade };
  const reader = filterReader(shown);
  reader.choice("state", "tab", ["waiting", "decided"]);
  reader.choice("mine", "mine", ["true"]);
  reader.choice("notMade", "notMade", ["true"]);
  const isReadable = areReadable(reader.problems);
  const tab = search.tab === "decided" ? "decided" : "waiting";
  const [mine, notMade] = [search.mine === "true", search.notMade === "true"];
  const query = useApprovals(
    {
      state: tab === "waiting" ? "WAITING" : "DECIDED",
      ...(mine && { mine: "true" }),
      ...(notMade && { notMade: "true" }),
      ...(app !== undefined && { appId: app }),
      ...(asked !== undefined && { before: asked }),
    },
    isReadable,
  );
  return (
    <section aria-labelledby="approvals">
      <h2 id="approvals">{texts.approvals}</h2>
      <Tabs label={texts.approvals}>
        <Link {...TAB} search={filtersOf}>
          {texts.waiting}
        </Link>
        <Link {...TAB} search={(now) => ({ ...filtersOf(now), tab: "decided" })}>
          {texts.decided}
        </Link>
        <Link {...TAB} search={(now) => ({ ...filtersOf(now), tab: "decided", mine: "true" })}>
          {texts.decidedMine}
        </Link>
        <Link {...TAB} search={(now) => ({ ...filtersOf(now), tab: "decided", notMade: "true" })}>
          {texts.notMade}
        </Link>
      </Tabs>
      <UnreadableChoices shown={shown} problems={reader.problems} />
      {isReadable && (
        <Loaded query={query}>
          {({ items, older }) => (
            <>
              {items.length === 0 && (
                <div className="empty">
                  <p>{notMade ? texts.noNotMade : tab === "waiting" ? texts.noApprovals : texts.noDecided}</p>
                </div>
              )}
              {items.map((approval) =>
                tab === "waiting" ? (
                  <ApprovalCard key={approval.id} approval={approval} />
                ) : (
                  <DecidedCard key={approval.id} approval={approval} />
                ),
              )}
              {older !== undefined && (
                <Link from="/refunds" to="/refunds" search={(now) => ({ ...now, asked: older })}>
                  {ui.older} →
                </Link>
              )}
            </>
          )}
        </Loaded>
      )}
    </section>
  );
}

/** A decided refund. */
function DecidedCard({ approval }: { readonly approval: Schema<"RefundApproval"> }) {
  const { appId, bizNo } = approval;
  return (
    <article className="exception">
      <ApprovalFacts approval={approval}>
        <Link className="mono" to="/orders/$appId/$bizNo" params={{ appId, bizNo }}>
          {bizNo}
        </Link>
      </ApprovalFacts>
    </article>
  );
}

/** One refund: who asks, why, and the decision. */
function ApprovalCard({ approval }: { readonly approval: Schema<"RefundApproval"> }) {
  const texts = useTexts(REFUNDS_TEXTS);
  const { appId, bizNo, amount, reason, requestedBy, requestedAt } = approval;
  return (
    <article className="exception approval">
      <div>
        <h3>
          <Money cents={amount} />{" "}
          <Link className="mono" to="/orders/$appId/$bizNo" params={{ appId, bizNo }}>
            {bizNo}
          </Link>
        </h3>
        <p>{reason}</p>
        <p className="muted">
          {texts.asked(requestedBy)} · <Time at={requestedAt} />
        </p>
      </div>
      <DecideApproval approval={approval} />
    </article>
  );
}

import { createRoute } from "@tanstack/react-router";
import type { Schema } from "../api/routes.js";
import { useRead } from "../api/use-read.js";
import { rootRoute } from "../app/root-route.js";
import { searchParams } from "../app/search-params.js";
import { useTexts } from "../language/catalogue.js";
import { useSession } from "../session/session-context.js";
import { Loaded } from "../ui/loaded.js";
import { UI_TEXTS } from "../ui/messages.js";
import { PageTitle } from "../ui/page-title.js";
import { Select } from "../ui/select.js";
import { Time } from "../ui/time.js";
import { Hours } from "./hours.js";
import type { FigureScope } from "./lists.js";
import { TODAY_TEXTS } from "./messages.js";
import { MoneyTable, MoneyTotals } from "./money.js";
import { NeedsPerson } from "./needs-person.js";
import { Queues } from "./queues.js";
import { WalletCalls } from "./wallet-calls.js";

/** How often the figures are loaded again, in milliseconds. */
const INTERVAL = 30_000;

/** The business day: money, what needs a person, and how the wallets answer. */
export const todayRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/today",
  validateSearch: searchParams("app"),
  component: TodayView,
});

function TodayView() {
  const { app } = todayRoute.useSearch();
  const texts = useTexts(TODAY_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const { apps, policy } = useSession();
  const navigate = todayRoute.useNavigate();
  const asked = app === undefined ? {} : { appId: app };
  const query = useRead("/api/today", { query: asked }, { keepsPrevious: true, interval: INTERVAL });
  return (
    <>
      <PageTitle title={texts.title}>
        {apps.length > 1 && (
          <Select
            label={texts.app}
            value={app ?? ""}
            choices={[
              { value: "", label: ui.all },
              ...apps.map(({ appId, name }) => ({ value: appId, label: name })),
            ]}
            onChange={(chosen) => void navigate({ search: { app: chosen } })}
          />
        )}
      </PageTitle>
      <Loaded query={query}>
        {(today) => <Figures today={today} scope={{ day: today.day, timeZone: policy.timeZone, app }} />}
      </Loaded>
    </>
  );
}

interface FiguresProps {
  readonly today: Schema<"Today">;
  readonly scope: FigureScope;
}

function Figures({ today, scope }: FiguresProps) {
  const texts = useTexts(TODAY_TEXTS);
  const { at, day, money, hours, walletCalls, queues } = today;
  return (
    <>
      <p className="muted as-of">
        {day} · {texts.asOf} <Time at={at} part="time" />
      </p>
      <MoneyTotals money={money} scope={scope} at={at} />
      <NeedsPerson today={today} scope={scope} />
      <Hours hours={hours} scope={scope} />
      <MoneyTable money={money} scope={scope} />
      {walletCalls !== undefined && <WalletCalls calls={walletCalls} />}
      {queues !== undefined && <Queues queues={queues} at={at} />}
    </>
  );
}

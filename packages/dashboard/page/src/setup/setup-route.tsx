import { createRoute, Link } from "@tanstack/react-router";
import { rootRoute } from "../app/root-route.js";
import { searchParams } from "../app/search-params.js";
import { filterReader } from "../filters/filter-reader.js";
import { UnreadableChoices } from "../filters/unreadable-choices.js";
import { useTexts } from "../language/catalogue.js";
import { type Permission, useMay } from "../session/session-context.js";
import { PageTitle } from "../ui/page-title.js";
import { Tabs } from "../ui/tabs.js";
import { Apps } from "./apps.js";
import { Clients } from "./clients.js";
import { SETUP_TEXTS } from "./messages.js";
import { Operators } from "./operators.js";
import { PayTools } from "./pay-tools.js";
import { ServiceTypes } from "./service-types.js";
import { Stores } from "./stores.js";
import { TestNumbers } from "./test-numbers.js";

/** The parts of the setup, with the right that each needs. */
const TABS = [
  { tab: "apps", text: "apps", needs: "read" },
  { tab: "pay-tools", text: "payTools", needs: "read" },
  { tab: "service-types", text: "serviceTypes", needs: "read" },
  { tab: "clients", text: "clients", needs: "read" },
  { tab: "stores", text: "stores", needs: "read" },
  { tab: "test-numbers", text: "testNumbers", needs: "app.rules" },
  { tab: "operators", text: "operators", needs: "operator.read" },
] as const satisfies readonly { readonly tab: string; readonly text: string; readonly needs: Permission }[];

/** The view of everything that an administrator sets up. */
export const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/setup",
  validateSearch: searchParams("tab", "app"),
  component: SetupView,
});

function SetupView() {
  const { tab: asked } = setupRoute.useSearch();
  const texts = useTexts(SETUP_TEXTS);
  const may = useMay();
  const visible = TABS.filter(({ needs }) => may(needs));
  const reader = filterReader({ tab: asked });
  reader.choice(
    "tab",
    "tab",
    visible.map(({ tab }) => tab),
  );
  const current = asked === undefined ? TABS[0].tab : visible.find(({ tab }) => tab === asked)?.tab;
  return (
    <>
      <PageTitle title={texts.title} />
      <Tabs label={texts.title}>
        {visible.map(({ tab, text }) => (
          <Link key={tab} to="/setup" search={{ tab }} aria-current={tab === current ? "page" : undefined}>
            {texts[text]}
          </Link>
        ))}
      </Tabs>
      <UnreadableChoices shown={{ tab: asked }} problems={reader.problems} />
      {current !== undefined && <Tab tab={current} />}
    </>
  );
}

function Tab({ tab }: { readonly tab: (typeof TABS)[number]["tab"] }) {
  const { app } = setupRoute.useSearch();
  const navigate = setupRoute.useNavigate();
  switch (tab) {
    case "apps":
      return <Apps />;
    case "pay-tools":
      return <PayTools />;
    case "service-types":
      return <ServiceTypes app={app} onApp={(chosen) => void navigate({ search: { tab, app: chosen } })} />;
    case "clients":
      return <Clients />;
    case "stores":
      return <Stores />;
    case "test-numbers":
      return <TestNumbers />;
    case "operators":
      return <Operators />;
  }
}

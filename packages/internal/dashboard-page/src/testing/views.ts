/** A view of the page, with the address that shows it. */
export interface View {
  readonly name: string;
  readonly path: string;
}

/** Returns every view of a signed-in operator over the demo shop. */
export function viewsOf(appId: string): readonly View[] {
  const order = (bizNo: string) => `/orders/${appId}/${bizNo}`;
  const tabs = ["apps", "pay-tools", "service-types", "clients", "test-numbers", "operators"];
  return [
    { name: "today", path: "/today" },
    { name: "orders", path: "/orders" },
    { name: "orders-filtered", path: "/orders?status=PENDING&from=2026-11-23" },
    { name: "orders-none", path: "/orders?customer=nobody" },
    { name: "order", path: order("N20261123-0907") },
    { name: "order-alarm", path: order("N20261123-0901") },
    { name: "order-approval", path: order("N20261123-1002") },
    { name: "customer", path: `/customers/${appId}/user-104` },
    { name: "search", path: "/search?q=user-101" },
    { name: "search-none", path: "/search?q=N2026-unknown" },
    { name: "refunds", path: "/refunds" },
    { name: "refunds-decided", path: "/refunds?tab=decided" },
    { name: "refunds-filtered", path: "/refunds?status=CONFIRMED&number=r-1" },
    { name: "bills", path: "/bills" },
    { name: "bills-resolved", path: "/bills?state=RESOLVED" },
    { name: "bill-days", path: "/bills?tab=days&from=2026-11-16&until=2026-11-22" },
    { name: "reports", path: "/reports?period=2026-11" },
    { name: "report-day", path: "/reports?period=2026-11-22" },
    { name: "downloads", path: "/downloads?from=2026-10-24&until=2026-11-22" },
    ...tabs.map((tab) => ({ name: `setup-${tab}`, path: `/setup?tab=${tab}` })),
    { name: "audit", path: "/audit" },
    { name: "account", path: "/account" },
    { name: "not-found", path: "/nowhere" },
  ];
}

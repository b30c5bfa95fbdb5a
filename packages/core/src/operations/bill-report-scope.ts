import { isSameBilledMerchant, type Merchant } from "../bills/bill.js";
import type { PayTool } from "../pay-tools/pay-tool.js";

/** The filters of a report. An absent filter does not limit the report. */
export interface BillReportFilter extends Pick<Merchant, "appEnv"> {
  readonly appId?: string | undefined;
  readonly payChannel?: Merchant["payChannel"] | undefined;
  readonly accountId?: string | undefined;
}

/** Which accounts and apps a report covers. */
export interface BillReportScope {
  readonly hasBill: (merchant: Merchant) => boolean;
  /** Whether the report covers the whole account, not only some of its apps. */
  readonly isWhole: (merchant: Merchant) => boolean;
  /** Whether a line of the app belongs to the report. */
  readonly hasApp: (merchant: Merchant, appId: string | undefined) => boolean;
}

/** Returns which accounts and apps a report covers: those that the filters and `seesApp` select. */
export function billReportScope(
  tools: readonly PayTool[],
  { appId, payChannel, accountId, appEnv }: BillReportFilter,
  seesApp: (appId: string) => boolean,
): BillReportScope {
  const appsOf = (merchant: Merchant) =>
    tools.filter((tool) => isSameBilledMerchant(tool, merchant)).map((tool) => tool.appId);
  const isShown = (app: string) => seesApp(app) && (appId === undefined || app === appId);
  const isWhole = (merchant: Merchant) => appId === undefined && appsOf(merchant).every(seesApp);
  return {
    hasBill: (merchant) =>
      merchant.appEnv === appEnv &&
      (payChannel === undefined || merchant.payChannel === payChannel) &&
      (accountId === undefined || merchant.accountId === accountId) &&
      appsOf(merchant).some(isShown),
    isWhole,
    hasApp: (merchant, app) => (app === undefined ? isWhole(merchant) : isShown(app)),
  };
}

import type { Stores } from "@tillkit/core";
import type { WrapPort } from "./port-faults.js";

/** Returns the stores with the faults of a shop. */
export function faultyStores(stores: Stores, wrap: WrapPort): Stores {
  return {
    apps: wrap("apps", stores.apps),
    payTools: wrap("payTools", stores.payTools),
    orders: wrap("orders", stores.orders),
    orderSearch: wrap("orderSearch", stores.orderSearch),
    refunds: wrap("refunds", stores.refunds),
    refundApprovals: wrap("refundApprovals", stores.refundApprovals),
    billLines: wrap("billLines", stores.billLines),
    keptBills: wrap("keptBills", stores.keptBills),
    billSettlements: wrap("billSettlements", stores.billSettlements),
    billExceptions: wrap("billExceptions", stores.billExceptions),
    serviceTypes: wrap("serviceTypes", stores.serviceTypes),
    services: wrap("services", stores.services),
    codes: wrap("codes", stores.codes),
    sessions: wrap("sessions", stores.sessions),
    customerData: wrap("customerData", stores.customerData),
    quotas: wrap("quotas", stores.quotas),
    downloads: wrap("downloads", stores.downloads),
    downloadsClients: wrap("downloadsClients", stores.downloadsClients),
    eventDeliveries: wrap("eventDeliveries", stores.eventDeliveries),
    operators: wrap("operators", stores.operators),
    operatorSessions: wrap("operatorSessions", stores.operatorSessions),
    signInAttempts: wrap("signInAttempts", stores.signInAttempts),
    auditLog: wrap("auditLog", stores.auditLog),
    alerts: wrap("alerts", stores.alerts),
    figures: wrap("figures", stores.figures),
    accessTokens: wrap("accessTokens", stores.accessTokens),
    readiness: wrap("readiness", stores.readiness),
  };
}

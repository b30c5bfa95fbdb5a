/** Pages that must have a Chinese translation, relative to the repository. */
export const TRANSLATED_PAGES = [
  "README.md",
  "SECURITY.md",
  "docs/choosing.md",
  "docs/guide/quick-start.md",
  "docs/guide/connect-your-wallets.md",
  "docs/guide/merchant-set-ups.md",
  "docs/guide/payments.md",
  "docs/guide/refunds.md",
  "docs/guide/daily-bill.md",
  "docs/guide/sms-sessions.md",
  "docs/guide/downloads.md",
  "docs/guide/going-live-on-postgresql.md",
  "docs/guide/dashboard.md",
  "docs/guide/reports.md",
  "docs/guide/when-something-goes-wrong.md",
] as const;

/** Pages that must have a translation as soon as they exist. */
export const FUTURE_TRANSLATED_PAGES = ["docs/guide/moving-an-existing-service.md"] as const;

/** What one store counted for one app on one day. */
export interface DailyCount {
  readonly appId: string;
  readonly store: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly newDownloads: number;
  readonly updateDownloads: number;
}

/** Who may ask for an app's download counts. */
export interface DownloadsClient {
  /** The client API id, query parameter `id`. */
  readonly clientId: string;
  /** The app whose counts it reads. */
  readonly appId: string;
  /** Requests per business day. */
  readonly dailyLimit: number;
  readonly gmtCreate: number;
}

declare module "vitest" {
  interface ProvidedContext {
    /** Where the PostgreSQL server of this run is. */
    databaseUrl: string;
  }
}

export {};

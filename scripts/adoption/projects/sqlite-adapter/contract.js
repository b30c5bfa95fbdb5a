// Run by vitest: the suites of the two ports that the adapter implements.
import { codeStoreContract, quotaStoreContract } from "@tillkit/contract-tests";
import { sqliteCodeStore } from "./code-store.js";
import { openDatabase } from "./open-database.js";
import { sqliteQuotaStore } from "./quota-store.js";

const opened = (createStore) => async () => {
  const database = openDatabase();
  return { port: createStore(database), close: async () => database.close() };
};

quotaStoreContract("SQLite", opened(sqliteQuotaStore));
codeStoreContract("SQLite", opened(sqliteCodeStore));

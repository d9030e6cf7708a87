import { customType } from 'drizzle-orm/pg-core'

/** Half-open whole-number intervals, as PostgreSQL writes them: `{[0,1500),[4000,9000)}`. Their union (`+`) is idempotent. */
export const int4Multirange = customType<{ data: string }>({ dataType: () => 'int4multirange' })

/** Half-open moments in time, as PostgreSQL writes them. */
export const momentMultirange = customType<{ data: string }>({ dataType: () => 'tstzmultirange' })

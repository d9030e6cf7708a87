import postgres, { type Sql } from 'postgres'

/**
 * One connection beside the pool, for a program or a part that works by itself. It prepares nothing, so that it also gets
 * along with a pooler.
 *
 * @param work names it in the server's list of sessions.
 */
export function openSingleConnection(url: string, work: string): Sql {
  return postgres(url, {
    max: 1,
    prepare: false,
    fetch_types: false,
    connect_timeout: 10,
    onnotice: () => {},
    connection: { application_name: `learnify ${work}` },
  })
}

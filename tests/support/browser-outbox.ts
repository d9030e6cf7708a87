import type { Page } from '@playwright/test'

type OutboxEntry = { key: string; uid: string | null; kind: string }
type StoredEntry = OutboxEntry & { body: unknown }

/** Lists the outbox entries in the browser of a page, sorted by key. */
export async function listOutboxEntries(page: Page): Promise<OutboxEntry[]> {
  const entries = await readStoredEntries(page)
  return entries.map(({ key, uid, kind }) => ({ key, uid, kind }))
}

/**
 * Returns the position of the video, in seconds, in the progress report that waits in the outbox.
 */
export async function readStoredVideoPosition(page: Page): Promise<number> {
  const entries = await readStoredEntries(page)
  const report = entries.find(({ kind }) => kind === 'progress')
  const body = report?.body as { report: { position: { ms: number } | null } } | undefined
  return (body?.report.position?.ms ?? 0) / 1000
}

function readStoredEntries(page: Page): Promise<StoredEntry[]> {
  return page.evaluate(async () => {
    const databases = await indexedDB.databases()
    if (!databases.some(({ name }) => name === 'learnify-outbox')) {
      return []
    }

    return new Promise<StoredEntry[]>((resolve, reject) => {
      const openRequest = indexedDB.open('learnify-outbox', 1)
      openRequest.onerror = reject
      openRequest.onsuccess = () => {
        const entriesRequest = openRequest.result
          .transaction('entries')
          .objectStore('entries')
          .getAll()
        entriesRequest.onsuccess = () => {
          openRequest.result.close()
          resolve(entriesRequest.result)
        }
      }
    })
  })
}

/** Stores one progress report for each learner in the outbox of the page's browser. */
export function putProgressReports(page: Page, uids: readonly string[]): Promise<void> {
  return page.evaluate(
    (uids) =>
      new Promise<void>((resolve, reject) => {
        const openRequest = indexedDB.open('learnify-outbox', 1)
        openRequest.onupgradeneeded = () =>
          openRequest.result.createObjectStore('entries', { keyPath: 'key' })
        openRequest.onerror = reject
        openRequest.onsuccess = () => {
          const transaction = openRequest.result.transaction('entries', 'readwrite')
          for (const uid of uids) {
            const body = { address: '/Learn/a/b/progress', report: {} }
            const entry = { key: uid, uid, kind: 'progress', body, putAt: Date.now(), version: 1 }
            transaction.objectStore('entries').put(entry)
          }

          transaction.oncomplete = () => {
            openRequest.result.close()
            resolve()
          }
        }
      }),
    uids,
  )
}

import type { Page } from '@playwright/test'

type OutboxEntry = { key: string; uid: string | null; kind: string }

/** Lists the outbox entries in the browser of a page, sorted by key. */
export function listOutboxEntries(page: Page): Promise<OutboxEntry[]> {
  return page.evaluate(async () => {
    const databases = await indexedDB.databases()
    if (!databases.some(({ name }) => name === 'learnify-outbox')) {
      return []
    }

    return new Promise<OutboxEntry[]>((resolve, reject) => {
      const openRequest = indexedDB.open('learnify-outbox', 1)
      openRequest.onerror = reject
      openRequest.onsuccess = () => {
        const entriesRequest = openRequest.result
          .transaction('entries')
          .objectStore('entries')
          .getAll()
        entriesRequest.onsuccess = () => {
          openRequest.result.close()
          resolve(
            entriesRequest.result.map(({ key, uid, kind }: OutboxEntry) => ({ key, uid, kind })),
          )
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

import type { Page } from '@playwright/test'

type Waiting = { key: string; uid: string | null; kind: string }

/** The outbox entries in a page's browser, in the order of keys. */
export function listOutboxEntries(page: Page): Promise<Waiting[]> {
  return page.evaluate(async () => {
    const known = await indexedDB.databases()
    if (!known.some(({ name }) => name === 'learnify-outbox')) {
      return []
    }

    return new Promise<Waiting[]>((resolve, reject) => {
      const opening = indexedDB.open('learnify-outbox', 1)
      opening.onerror = reject
      opening.onsuccess = () => {
        const reading = opening.result.transaction('entries').objectStore('entries').getAll()
        reading.onsuccess = () => {
          opening.result.close()
          resolve(reading.result.map(({ key, uid, kind }: Waiting) => ({ key, uid, kind })))
        }
      }
    })
  })
}

/** Puts progress reports into a page's outbox, one for each learner. */
export function putProgressReports(page: Page, uids: readonly string[]): Promise<void> {
  return page.evaluate(
    (uids) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('learnify-outbox', 1)
        opening.onupgradeneeded = () =>
          opening.result.createObjectStore('entries', { keyPath: 'key' })
        opening.onerror = reject
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('entries', 'readwrite')
          for (const uid of uids) {
            const body = { address: '/Learn/a/b/progress', report: {} }
            const entry = { key: uid, uid, kind: 'progress', body, putAt: Date.now(), version: 1 }
            transaction.objectStore('entries').put(entry)
          }

          transaction.oncomplete = () => {
            opening.result.close()
            resolve()
          }
        }
      }),
    uids,
  )
}

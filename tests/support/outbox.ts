import type { Page } from '@playwright/test'

type Waiting = { key: string; uid: string | null; kind: string }

/** The outbox entries in a page's browser, in the order of keys. */
export function waitingEntries(page: Page): Promise<Waiting[]> {
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

/** Leaves reports as version 0.1.0 did when a lesson's tab was closed offline. */
export function leaveFormerReports(
  page: Page,
  reports: { key: string; uid: string; address: string; report: object }[],
) {
  return page.evaluate(
    (reports) =>
      new Promise<void>((resolve, reject) => {
        localStorage.setItem('reports-kept', '1')
        const opening = indexedDB.open('learnify-reports', 1)
        opening.onupgradeneeded = () =>
          opening.result.createObjectStore('reports', { keyPath: 'key' })
        opening.onerror = reject
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('reports', 'readwrite')
          for (const report of reports) {
            transaction.objectStore('reports').put(report)
          }

          transaction.oncomplete = () => {
            opening.result.close()
            resolve()
          }
        }
      }),
    reports,
  )
}

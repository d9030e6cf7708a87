import { expect, type Page, type Request } from '@playwright/test'
import { waitUntilIdle } from './hydration'

type RequestLog = { startedCount: number; pending: Set<Request> }

const requestLogs = new WeakMap<Page, RequestLog>()

/** Records a page's requests, so that `goOffline` knows when the page has loaded everything. */
export function recordRequests(page: Page): void {
  const log: RequestLog = { startedCount: 0, pending: new Set() }
  requestLogs.set(page, log)

  page.on('request', (request) => {
    const isNewDocument = request.isNavigationRequest() && request.frame() === page.mainFrame()
    if (isNewDocument) {
      log.pending.clear()
    }

    // The parts of a video are loaded for as long as the page is open.
    if (request.resourceType() !== 'media') {
      log.startedCount += 1
      log.pending.add(request)
    }
  })
  page.on('requestfinished', (request) => log.pending.delete(request))
  page.on('requestfailed', (request) => log.pending.delete(request))
}

/** Takes the browser offline once the page has loaded everything that it loads by itself. */
export async function goOffline(page: Page): Promise<void> {
  await waitUntilSettled(page)
  await page.context().setOffline(true)
}

/**
 * Waits until the page has loaded everything that it loads by itself: who is signed in, the code
 * that only learners need, and the routes behind its links and forms.
 */
export async function waitUntilSettled(page: Page): Promise<void> {
  const log = requestLogs.get(page)
  if (!log) {
    throw new Error('Only the requests of pages in the context of the test are recorded.')
  }

  await expect(async () => {
    const startedCount = log.startedCount
    expect([...log.pending].map((request) => request.url())).toEqual([])

    // A response may make the page request more, in the task that handles it.
    await waitUntilIdle(page)

    expect(log.startedCount, 'started requests').toBe(startedCount)
    expect(await page.evaluate(listUndiscoveredPaths)).toEqual([])
  }).toPass()
}

/**
 * Lists the paths of links and forms whose routes React Router has not requested yet. It requests
 * them a moment after a link or form has appeared.
 */
function listUndiscoveredPaths(): string[] {
  const requestedPaths = performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ pathname }) => pathname === '/__manifest')
    .flatMap(({ searchParams }) => searchParams.get('paths')?.split(',') ?? [])

  const elements = [...document.querySelectorAll('a[data-discover], form[data-discover]')]
  const paths = elements
    .map((element) => element.getAttribute('href') ?? element.getAttribute('action'))
    .filter((target) => target !== null)
    .map((target) => new URL(target, window.location.href).pathname)

  return paths.filter((path) => !requestedPaths.includes(path))
}

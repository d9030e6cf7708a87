import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadUntilSuccessful } from './lazy-component'

describe('code that could not be loaded', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('window', new EventTarget())
  })

  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  /** Loads the code at the second attempt. */
  const createLoader = () =>
    vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue('code')

  it('is loaded again as soon as the browser is online', async () => {
    const load = createLoader()
    const loading = loadUntilSuccessful(load)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(load).toHaveBeenCalledTimes(1)

    window.dispatchEvent(new Event('online'))

    expect(await loading).toBe('code')
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('is loaded again after ten seconds, because the server may have been down', async () => {
    const load = createLoader()
    const loading = loadUntilSuccessful(load)

    await vi.advanceTimersByTimeAsync(10_000)

    expect(await loading).toBe('code')
    expect(load).toHaveBeenCalledTimes(2)
  })
})

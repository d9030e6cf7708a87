import { createMemoryRouter, type DataRouter } from 'react-router'
import { describe, expect, it } from 'vitest'
import type { FormResult } from './form-result'
import { getStoredResult } from './use-result-until-navigation'

type RouterState = DataRouter['state']

/** Opens a page with a form in a router that records its states. */
function openPage() {
  const route = {
    id: 'page',
    path: '/',
    action: (): FormResult => ({ done: true, notice: 'Saved.' }),
    loader: () => null,
  }
  const router = createMemoryRouter([route], { hydrationData: { loaderData: { page: null } } })
  const states: RouterState[] = [router.state]
  router.subscribe((state) => states.push(state))

  const submitForm = () => router.navigate('/', { formMethod: 'post', formData: new FormData() })

  return { router, states, submitForm }
}

/** Returns the result that is stored after React has rendered the states of a router. */
function findStoredResult(states: readonly RouterState[]): FormResult | undefined {
  let storedResult: ReturnType<typeof getStoredResult<FormResult>> | null = null
  for (const { actionData, location, navigation } of states) {
    storedResult = getStoredResult(storedResult, { result: actionData?.page, location, navigation })
  }

  return storedResult?.result
}

describe('the result of a form', () => {
  it('stays after the data of the page was loaded again', async () => {
    const { router, states, submitForm } = openPage()
    await submitForm()
    await router.revalidate()

    expect(router.state.actionData).toBeNull()
    expect(findStoredResult(states)).toEqual({ done: true, notice: 'Saved.' })
  })

  it('stays even if React skips the state between the form’s navigation and the reload', async () => {
    const { router, states, submitForm } = openPage()
    await submitForm()
    await router.revalidate()

    const renderedStates = states.filter(
      ({ actionData, navigation }) => actionData === null || navigation.state !== 'idle',
    )

    expect(renderedStates.some(({ actionData }) => actionData !== null)).toBe(true)
    expect(findStoredResult(renderedStates)).toEqual({ done: true, notice: 'Saved.' })
  })

  it('is gone after the learner has left the page, also when they go back', async () => {
    const { router, states, submitForm } = openPage()
    await submitForm()
    await router.navigate('/?page=2')
    expect(findStoredResult(states)).toBeUndefined()

    await router.navigate(-1)
    expect(findStoredResult(states)).toBeUndefined()
  })
})

import { createMemoryRouter, type DataRouter } from 'react-router'
import { describe, expect, it } from 'vitest'
import type { FormResult } from './form-result'
import { keepResult } from './use-result-until-navigation'

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

/** Returns the result that is kept after React has rendered the states of a router. */
function findKeptResult(states: readonly RouterState[]): FormResult | undefined {
  let keptResult: ReturnType<typeof keepResult<FormResult>> | null = null
  for (const { actionData, location, navigation } of states) {
    keptResult = keepResult(keptResult, { result: actionData?.page, location, navigation })
  }

  return keptResult?.result
}

describe('the result of a form', () => {
  it('stays after the data of the page was loaded again', async () => {
    const { router, states, submitForm } = openPage()
    await submitForm()
    await router.revalidate()

    expect(router.state.actionData).toBeNull()
    expect(findKeptResult(states)).toEqual({ done: true, notice: 'Saved.' })
  })

  it('stays even if React skips the state between the form’s navigation and the reload', async () => {
    const { router, states, submitForm } = openPage()
    await submitForm()
    await router.revalidate()

    const renderedStates = states.filter(
      ({ actionData, navigation }) => actionData === null || navigation.state !== 'idle',
    )
    expect(renderedStates.some(({ actionData }) => actionData !== null)).toBe(true)
    expect(findKeptResult(renderedStates)).toEqual({ done: true, notice: 'Saved.' })
  })

  it('is gone after the learner has left the page, also when they go back', async () => {
    const { router, states, submitForm } = openPage()
    await submitForm()
    await router.navigate('/?page=2')
    expect(findKeptResult(states)).toBeUndefined()

    await router.navigate(-1)
    expect(findKeptResult(states)).toBeUndefined()
  })
})

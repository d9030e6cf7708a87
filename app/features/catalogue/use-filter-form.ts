import { type RefObject, useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { addressOfFilters, parseCourseFilters, readFilterForm, writeFilterForm } from './course-filters'

const typingPauseMs = 200

/** Kept with an entry of the history that the form itself made. */
type FormEntry = { byFilters: 'typing' | 'choosing' }

/**
 * Lets the results follow the form. The address is the state, the inputs stay the browser's own: what a visitor types is
 * never overwritten by results that arrive late, and going back or following a link sets the inputs. One step back
 * leads to before the first letter of what was typed in one go.
 *
 * @returns handlers for the form that `form` refers to.
 */
export function useFilterForm(form: RefObject<HTMLFormElement | null>) {
  const navigate = useNavigate()
  const location = useLocation()
  const made = (location.state as Partial<FormEntry> | null)?.byFilters
  const asked = useRef(addressOfFilters(parseCourseFilters(new URLSearchParams(location.search))))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const inOneGo = useRef(false)

  const show = (byFilters: FormEntry['byFilters']) => {
    clearTimeout(timer.current)
    if (!form.current) return
    const wanted = addressOfFilters(readFilterForm(form.current))
    if (wanted === asked.current) return
    asked.current = wanted
    const replace = byFilters === 'typing' && made === 'typing' && inOneGo.current
    inOneGo.current = byFilters === 'typing'
    navigate(wanted, { replace, preventScrollReset: true, state: { byFilters } satisfies FormEntry })
  }
  const latestShow = useRef(show)
  useEffect(() => {
    latestShow.current = show
  })

  useFollowAddress((search) => {
    clearTimeout(timer.current)
    inOneGo.current = false
    const filters = parseCourseFilters(new URLSearchParams(search))
    asked.current = addressOfFilters(filters)
    if (form.current) writeFilterForm(form.current, filters)
  })

  useEffect(() => {
    // Something may have been typed before the page was hydrated.
    latestShow.current('choosing')
    // Who goes back right after typing does not want the results of it any more.
    const forget = () => clearTimeout(timer.current)
    window.addEventListener('popstate', forget)
    return () => {
      forget()
      window.removeEventListener('popstate', forget)
    }
  }, [])

  return {
    onType() {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => latestShow.current('typing'), typingPauseMs)
    },
    onChoose: () => show('choosing'),
    onLeave() {
      inOneGo.current = false
    },
  }
}

/** Calls back for each new address that the form did not ask for: back, forward or a link. */
function useFollowAddress(follow: (search: string) => void) {
  const location = useLocation()
  const type = useNavigationType()
  const seen = useRef(location.key)
  useEffect(() => {
    if (seen.current === location.key) return
    seen.current = location.key
    const byForm = type !== 'POP' && (location.state as Partial<FormEntry> | null)?.byFilters !== undefined
    if (!byForm) follow(location.search)
  })
}

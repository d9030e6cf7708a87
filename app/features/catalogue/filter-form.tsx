import { LoaderCircle, Search } from 'lucide-react'
import { useRef } from 'react'
import { Form } from 'react-router'
import { Button } from '~/ui/button'
import { SelectField } from '~/ui/field'
import { type CourseFilters, categoryNames, levelNames } from './course-filters'
import { useFilterForm } from './use-filter-form'

/** Search, category and level. A plain GET form, whose results follow it as soon as a script runs. */
export function FilterForm({ filters, pending }: { filters: CourseFilters; pending: boolean }) {
  const form = useRef<HTMLFormElement>(null)
  const { onType, onChoose, onLeave } = useFilterForm(form)
  return (
    <search>
      <Form
        ref={form}
        action="/AllCourses"
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          onChoose()
        }}
        className="grid grid-cols-2 gap-x-3 gap-y-4 lg:grid-cols-[2fr_1fr_1fr] lg:gap-x-4"
      >
        <SearchField initial={filters.search} pending={pending} onInput={onType} onBlur={onLeave} />
        <SelectField id="category" name="category" label="Category" defaultValue={filters.category} onChange={onChoose}>
          <Options names={categoryNames} />
        </SelectField>
        <SelectField id="level" name="level" label="Level" defaultValue={filters.level} onChange={onChoose}>
          <Options names={levelNames} />
        </SelectField>
        <noscript>
          <Button type="submit" className="w-full">
            Search
          </Button>
        </noscript>
      </Form>
    </search>
  )
}

function SearchField({
  initial,
  pending,
  onInput,
  onBlur,
}: {
  initial: string
  pending: boolean
  onInput(): void
  onBlur(): void
}) {
  const Icon = pending ? LoaderCircle : Search
  return (
    <div className="col-span-2 lg:col-span-1">
      <label htmlFor="q" className="mb-1.5 block font-medium">
        Search courses
      </label>
      <div className="relative">
        <Icon
          aria-hidden="true"
          size={18}
          className={`pointer-events-none absolute top-1/2 left-3.5 -translate-y-1/2 text-muted ${pending ? 'animate-spin' : ''}`}
        />
        <input
          id="q"
          name="q"
          type="search"
          enterKeyHint="search"
          maxLength={100}
          spellCheck={false}
          defaultValue={initial}
          placeholder="Title, topic or instructor"
          onInput={onInput}
          onBlur={onBlur}
          className="block min-h-12 w-full rounded-control border border-edge bg-surface py-2.5 pr-3 pl-11 text-ink placeholder:text-muted"
        />
      </div>
    </div>
  )
}

function Options({ names }: { names: Record<string, string> }) {
  return Object.entries(names).map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ))
}

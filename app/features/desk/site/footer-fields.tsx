import { footerColumns } from '~/ui/site-footer'
import { useSubmittedValues } from '../desk-parts'

type Columns = readonly { title: string; links: readonly { label: string; to: string }[] }[]
type Limits = { columns: number; links: number }

const shape =
  'block min-h-11 w-full rounded-control border border-edge bg-surface px-3 py-2 text-ink'

/** The footer's columns, each with some empty rows for more links. */
export function FooterFields({
  columns,
  siteName,
  limits,
}: {
  columns: Columns | null
  siteName: string
  limits: Limits
}) {
  const submittedValues = useSubmittedValues('footer')
  const shown = columns ?? shippedColumns(siteName)

  return (
    <>
      <p className="text-muted">
        An address begins with / for a page of this site, like /Pages/about, or with https://. Empty
        rows are left out. If everything is empty, the footer is Learnify’s own. To move a link,
        choose another number.
      </p>
      <div className="grid gap-6">
        {numbersBelow(limits.columns).map((column) => {
          const { title = '', links = [] } = shown[column] ?? {}
          const rows = numbersBelow(Math.min(limits.links, links.length + 2))

          return (
            <fieldset key={column} className="min-w-0">
              <legend className="mb-2 font-medium">Column {column + 1}</legend>
              <input
                aria-label={`Heading of column ${column + 1}`}
                name={`title-${column}`}
                defaultValue={submittedValues?.[`title-${column}`] ?? title}
                placeholder="Heading"
                maxLength={40}
                className={`${shape} mb-2 font-bold`}
              />
              <ul className="grid gap-2">
                {rows.map((row) => (
                  <li key={row} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] gap-2">
                    <input
                      aria-label={`Column ${column + 1}, link ${row + 1}: words`}
                      name={`label-${column}-${row}`}
                      defaultValue={
                        submittedValues?.[`label-${column}-${row}`] ?? links[row]?.label
                      }
                      placeholder="Words"
                      maxLength={60}
                      className={shape}
                    />
                    <input
                      aria-label={`Column ${column + 1}, link ${row + 1}: address`}
                      name={`to-${column}-${row}`}
                      defaultValue={submittedValues?.[`to-${column}-${row}`] ?? links[row]?.to}
                      placeholder="Address"
                      maxLength={300}
                      list="site-addresses"
                      className={shape}
                    />
                    <select
                      aria-label={`Column ${column + 1}, link ${row + 1}: place`}
                      name={`place-${column}-${row}`}
                      defaultValue={submittedValues?.[`place-${column}-${row}`] ?? row + 1}
                      className="min-h-11 rounded-control border border-edge bg-surface px-2 py-2 text-ink"
                    >
                      {rows.map((place) => (
                        <option key={place} value={place + 1}>
                          {place + 1}
                        </option>
                      ))}
                    </select>
                  </li>
                ))}
              </ul>
            </fieldset>
          )
        })}
      </div>
      <datalist id="site-addresses">
        {ownAddresses.map((address) => (
          <option key={address} value={address} />
        ))}
      </datalist>
    </>
  )
}

const numbersBelow = (count: number) => [...Array(count).keys()]

const ownAddresses = [
  '/',
  '/AllCourses',
  '/OneCourse',
  '/Instructor',
  '/Profile',
  '/Privacy',
  '/Terms',
]

const shippedColumns = (siteName: string): Columns =>
  footerColumns(siteName).map(({ title, links }) => ({
    title,
    links: links.map(([label, to]) => ({ label, to })),
  }))

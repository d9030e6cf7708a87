import { SelectField } from '~/ui/form/field'
import { useSubmittedValues } from '../desk-context'
import { ActionForm } from '../desk-forms'
import {
  columnFieldName,
  columnMeaningLabels,
  hasCourses,
  type ImportColumn,
} from './column-meanings'

/**
 * Asks what each column contains. The choices that follow from the names of the columns are made
 * already.
 */
export function ColumnsForm({ columns }: { columns: readonly ImportColumn[] }) {
  const submittedValues = useSubmittedValues('columns')

  return (
    <section aria-labelledby="columns" className="card p-5">
      <h2 id="columns" className="mb-2 font-bold text-xl">
        What is in which column?
      </h2>
      <div className="mb-5 grid max-w-2xl gap-2 text-muted">
        <p>
          Some columns of this file have names that aren’t known. An email address and a name are
          needed.
        </p>
        {!hasCourses(columns) && <p>Without a column of course IDs, nobody is enrolled.</p>}
      </div>
      <ActionForm
        intent="columns"
        hiddenValues={{ seen: 'unclear' }}
        buttonText="Check the file"
        variant="primary"
      >
        <div className="grid gap-4 sm:grid-cols-2">
          {columns.map(({ name, meaning, example }, index) => (
            <SelectField
              key={name}
              label={name}
              name={columnFieldName(index)}
              defaultValue={submittedValues?.[columnFieldName(index)] ?? meaning ?? ''}
              hint={
                example === '' ? (
                  'This column is empty.'
                ) : (
                  <>
                    For example: <bdi>{example}</bdi>
                  </>
                )
              }
            >
              <option value="">Don’t import</option>
              {Object.entries(columnMeaningLabels).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </SelectField>
          ))}
        </div>
      </ActionForm>
    </section>
  )
}

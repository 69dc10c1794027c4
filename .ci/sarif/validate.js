// node validate.js FILE.sarif…: checks files against the schema of SARIF 2.1.0.
const fs = require('fs');
const path = require('path');
const Ajv = require('ajv-draft-04');
const formats = require('ajv-formats');

const schema = path.join(path.dirname(require.resolve('@microsoft/jest-sarif/package.json')), 'lib/schemas/sarif-2.1.0-rtm.5.json');
// One pattern of the schema is not valid as a Unicode expression.
const ajv = new Ajv({ strict: false, unicodeRegExp: false, allErrors: true });
formats(ajv);
const valid = ajv.compile(JSON.parse(fs.readFileSync(schema)));
let failed = false;
for (const file of process.argv.slice(2)) {
  const doc = JSON.parse(fs.readFileSync(file));
  if (valid(doc)) {
    const results = doc.runs.reduce((n, run) => n + run.results.length, 0);
    console.log(`${path.basename(file)}: valid, ${results} results`);
  } else {
    failed = true;
    console.log(`${path.basename(file)}: not valid`, valid.errors);
  }
}
process.exit(failed ? 1 : 0);

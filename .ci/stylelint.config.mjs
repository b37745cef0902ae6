export default {
  extends: "stylelint-config-standard",
  rules: {
    // Rules stand by the part of the page that they are for, not by how specific their selectors are.
    "no-descending-specificity": null,
    // Safari knows these two by their prefixed names only.
    "property-no-vendor-prefix": [true, { ignoreProperties: ["-webkit-text-size-adjust", "-webkit-user-select"] }],
    // Names of fonts keep their capitals.
    "value-keyword-case": ["lower", { ignoreProperties: ["--sans", "--mono"] }],
    // One-line at-rules may follow the one-line rules that they change.
    "at-rule-empty-line-before": null,
    "rule-empty-line-before": null,
  },
  overrides: [
    {
      files: ["**/admin.css"],
      rules: {
        // These are the names of Django's own pages.
        "selector-class-pattern": null,
        "selector-id-pattern": null,
      },
    },
  ],
};

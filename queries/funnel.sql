-- How many rows each stage of the newest run took in, gave out and dropped, and why.
-- rows_in = rows_out + the sum of the reasons, for every stage.
SELECT stage, rows_in, rows_out, dropped, round(100 * yield, 1) AS yield_percent, reasons, round(seconds, 1) AS seconds
FROM funnel();
